//! The `profile` command: a search beside those of `go`, which ends in text for people.

use std::sync::Arc;

use super::Session;
use super::input::Event;
use super::search::Phase;
use super::waiting::SaidSince;
use crate::engine::analyst::{Analyst, text};
use crate::engine::fault::{guard, searching};
use crate::engine::limit::Limit;
use crate::engine::memory;
use crate::engine::settings::EngineSettings;
use crate::engine::spec::SearchSpec;
use crate::engine::stopwatch::Stopwatch;
use crate::games::chess::{Evaluation, Move};
use crate::platform::Instant;
use crate::search::Observer;
use crate::search::registry::Algorithm;
use crate::uci::command::ProfileRequest;
use crate::uci::control::Control;

/// Ends a search by `stop` or by the clock.
struct Watch {
    control: Arc<Control>,
    clock: Stopwatch,
}

impl Observer<Move> for Watch {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.control.is_stopped() || self.clock.is_over()
    }
}

impl Session {
    /// Begins a search for a profile; what it finds is written when it ends, and no `bestmove`.
    pub(super) fn profile(&mut self, request: &ProfileRequest, received: Instant, said: SaidSince) {
        let analyst = self.profile_settings(request).and_then(|settings| {
            // The session's own searcher keeps what it has.
            let own = self.settings.engine.megabytes();
            memory::ensure([own, settings.megabytes()], 1).map_err(|error| error.to_string())?;
            Analyst::new(&settings).map_err(|error| error.to_string())
        });
        let mut analyst = match analyst {
            Ok(analyst) => analyst,
            Err(error) => return self.output.message(&format!("profile: {error}")),
        };
        let limits = Limit::of_analysis(request.nodes, request.movetime).kept_by_search();
        let control = Arc::new(Control::new(Some(received)));
        if said.stop {
            control.stop();
        }
        let mut watch = Watch {
            control: Arc::clone(&control),
            clock: Stopwatch::started(received, request.movetime),
        };
        self.phase = Phase::Searching {
            control,
            hold: None,
        };
        let (root, output) = (self.root.clone(), Arc::clone(&self.output));
        let events = self.events.clone();
        let begun = self.begin("profile", move || {
            let doing = || searching("profile", &root.position);
            let profile = guard(doing, || {
                let profile = analyst.profile(&root, &limits, &mut watch)?;
                Ok(text::profile(&profile))
            });
            match profile.flatten() {
                Ok(text) => output.line(text.trim_end()),
                Err(fault) => output.message(&fault.to_string()),
            }
            let _ = events.send(Event::Profiled);
        });
        if !begun {
            self.phase = Phase::Idle;
        }
    }

    /// The session's settings with the search that is asked for; best-first search, which has most to
    /// tell, if there is none. Unless asked otherwise a profile is over whole pawns: between
    /// neighbouring centipawns a single leaf always decides.
    fn profile_settings(&self, request: &ProfileRequest) -> Result<EngineSettings, String> {
        let mut settings = self.settings.engine.clone();
        settings.evaluation = Evaluation::Tactical;
        match &request.search {
            None => settings.search.algorithm = Algorithm::BestFirst,
            Some(search) => {
                let spec: SearchSpec = search.parse().map_err(|error| format!("{error}"))?;
                spec.apply(&mut settings)
                    .map_err(|error| error.to_string())?;
            }
        }
        Ok(settings)
    }
}
