//! `cassius lab relabel`: new values for positions of games, from longer searches than those that played them.
//!
//! A game's positions are searched from the last to the first, and the table stays: what a search found later in the
//! game, those before it know.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::folder::{LabelSource, Recipe, read_games, recipe_of, shard_path};
use super::opening::of_game;
use super::player::choice;
use super::record::GameRecord;
use super::run::{FillOptions, record};
use crate::training::data::is_learnt_from;
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::settings::ChessSearcher;
use cassius::game::Root;
use cassius::output::flaws::Flaws;
use cassius::random::Random;

/// Games whose positions get new values, and the folder to fill with them.
#[derive(Clone, Debug, Args)]
pub struct RelabelOptions {
    /// Folder and search.
    #[command(flatten)]
    pub fill: FillOptions,
    /// The folder of games; its shards keep their numbers
    #[arg(long, value_name = "GAMES")]
    pub of: PathBuf,
    /// Search one in N of the positions that networks learn from, drawn by the seed
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
}

/// Labels the missing shards; then writes the manifest. A game in which the search fails gets no labels; `err` names it.
pub fn relabel(options: &RelabelOptions, err: &mut dyn Write) -> Result<Flaws> {
    let RelabelOptions { fill, of, every } = options;
    let games = recipe_of(of)?;
    let games_per_shard = games.games_per_shard;
    let recipe = Recipe {
        labels_of: Some(LabelSource {
            games: Box::new(games),
            every: *every,
        }),
        ..fill.recipe(games_per_shard)
    };
    fill.run(&recipe, err, |search, shard, contents, hand_over| {
        let mut games = Vec::new();
        read_games(&shard_path(of, shard), |game| games.push(game.clone()))?;
        for (number, game) in (shard * games_per_shard..).zip(&games) {
            let mut random = of_game(fill.seed, number);
            let labelled = labels(search, game, *every, fill.nodes, &mut random);
            let made = record(labelled, number, contents)?;
            if !hand_over(made) {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// New labels of one in `every` of a game's positions, the last position first.
fn labels(
    search: &mut Guarded<ChessSearcher>,
    game: &GameRecord,
    every: u32,
    nodes: u64,
    random: &mut Random,
) -> Result<Vec<GameRecord>, Fault> {
    let mut root = Root::new(game.start.clone());
    let mut chosen = Vec::new();
    for &(m, value) in &game.moves {
        if is_learnt_from(&root.position, m, value) && random.below(every as usize) == 0 {
            chosen.push(root.clone());
        }
        root.play(m);
    }
    search.get().clear();
    let mut labels = Vec::new();
    for root in chosen.into_iter().rev() {
        if let Some(label) = choice(search, &root, nodes)? {
            labels.push(GameRecord {
                start: root.position,
                result: game.result,
                moves: vec![label],
                is_same_game: !labels.is_empty(),
                ..GameRecord::not_played()
            });
        }
    }
    Ok(labels)
}
