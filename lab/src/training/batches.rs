//! Training in batches, for all tasks.
//!
//! Each batch is split into the same number of parts whatever the number of threads, and the parts' gradients are added
//! in order, so that a seed gives the same weights on any number of threads.

use crate::training::adam::{Group, Moments, Step};
use cassius::random::Random;
use cassius::workers;
use std::f64::consts::PI;
use std::io;

/// Parts of a batch; more threads than this do not help.
const PARTS: usize = 4;
/// Items of a part when losses are computed.
const LOSS_PART: usize = 8192;
/// Fraction of the steps in which the rate rises, and most such steps.
const WARM_UP: (f64, f64) = (0.02, 200.0);
/// The last rate, in units of the highest.
const LAST_RATE: f64 = 0.01;

/// Settings of a training run.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Number of output buckets: positions with more pieces use later ones.
    pub buckets: usize,
    /// Passes over the samples, possibly fractional.
    pub epochs: f64,
    /// Samples of a step.
    pub batch: usize,
    /// Highest learning rate, about the distance that a step moves each weight: the rate rises to it at the beginning
    /// and falls along a cosine to a hundredth of it.
    pub rate: f64,
    /// Fraction of the game's result in the target, 0 to 1; the rest is the search's score.
    pub result_share: f32,
    /// Centipawns of a score that multiply the odds by e.
    pub score_scale: f32,
    /// Seed of the initial weights and of the order of samples.
    pub seed: u64,
    /// Number of threads, which does not change the result.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            buckets: 8,
            epochs: 10.0,
            batch: 16_384,
            rate: 0.001,
            result_share: 0.2,
            score_scale: 400.0,
            seed: 1,
            threads: 2,
        }
    }
}

/// Progress of the training, after each epoch.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Passes over the samples so far.
    pub epoch: f64,
    /// Mean loss on the samples since the last report, each before its step.
    pub learn_loss: f64,
    /// Mean loss on the held-back samples; NaN if there are none.
    pub held_back_loss: f64,
}

/// Parameters to learn, of the same shape as their gradient.
pub(super) trait Parameters: Clone + Send + Sync {
    /// Zeros of the same shape.
    fn zero(&self) -> Self;
    /// All parameters, in groups.
    fn parts(&self) -> Vec<&[f32]>;
    /// The same groups, mutable.
    fn groups(&mut self) -> Vec<Group<'_>>;
}

/// A task: parameters, items to learn from, and the loss.
pub(super) trait Task: Sync {
    /// An item to learn from.
    type Item: Sync;
    /// The parameters.
    type Learnt: Parameters;
    /// Working memory of a thread.
    type Room: Send;

    /// Allocates working memory.
    fn room(&self) -> Self::Room;
    /// The loss on an item.
    fn loss(&self, learnt: &Self::Learnt, item: &Self::Item, room: &mut Self::Room) -> f64;
    /// The loss on an item; adds its gradient to `gradient`.
    fn add_gradient(
        &self,
        learnt: &Self::Learnt,
        item: &Self::Item,
        room: &mut Self::Room,
        gradient: &mut Self::Learnt,
    ) -> f64;
}

/// Runs jobs on several threads, each as a thread becomes free.
fn share<J: Send>(
    jobs: impl Iterator<Item = J> + Send,
    threads: usize,
    work: impl Fn(J) + Sync,
) -> io::Result<()> {
    workers::share(
        jobs,
        threads.min(PARTS),
        || Ok(()),
        |(), job, _: &mut dyn FnMut(()) -> bool| {
            work(job);
            Ok(())
        },
        |()| Ok(()),
    )
}

/// Mean loss on all items; NaN if there are none.
pub(super) fn mean_loss<T: Task>(
    task: &T,
    learnt: &T::Learnt,
    items: &[T::Item],
    threads: usize,
) -> io::Result<f64> {
    let mut losses = vec![0.0; items.len().div_ceil(LOSS_PART)];
    share(
        items.chunks(LOSS_PART).zip(&mut losses),
        threads,
        |(items, loss)| {
            let mut room = task.room();
            *loss = items
                .iter()
                .map(|item| task.loss(learnt, item, &mut room))
                .sum();
        },
    )?;
    Ok(losses.iter().sum::<f64>() / items.len() as f64)
}

/// A part of a batch: the sums of its losses and gradients.
struct Part<T: Task> {
    loss: f64,
    gradient: T::Learnt,
    room: T::Room,
}

/// Computes the gradients of batches.
pub(super) struct Batches<'a, T: Task> {
    task: &'a T,
    parts: Vec<Part<T>>,
    threads: usize,
}

impl<'a, T: Task> Batches<'a, T> {
    pub(super) fn new(task: &'a T, learnt: &T::Learnt, threads: usize) -> Batches<'a, T> {
        let part = || Part {
            loss: 0.0,
            gradient: learnt.zero(),
            room: task.room(),
        };
        Batches {
            task,
            parts: (0..PARTS).map(|_| part()).collect(),
            threads: threads.clamp(1, PARTS),
        }
    }

    /// Sums the losses on these items. Afterwards the first part holds the gradient of the mean loss.
    pub(super) fn run(
        &mut self,
        learnt: &T::Learnt,
        items: &[T::Item],
        order: &[u32],
    ) -> io::Result<f64> {
        let size = order.len().div_ceil(PARTS).max(1);
        for part in &mut self.parts {
            part.loss = 0.0;
        }
        let task = self.task;
        let orders = order.chunks(size).chain(std::iter::repeat(&order[..0]));
        share(
            self.parts.iter_mut().zip(orders),
            self.threads,
            |(part, order)| {
                for group in part.gradient.groups() {
                    group.weights.fill(0.0);
                }
                for &number in order {
                    let item = &items[number as usize];
                    part.loss +=
                        task.add_gradient(learnt, item, &mut part.room, &mut part.gradient);
                }
            },
        )?;
        self.add_parts(order.len());
        Ok(self.parts.iter().map(|part| part.loss).sum())
    }

    fn add_parts(&mut self, count: usize) {
        let Some((first, others)) = self.parts.split_first_mut() else {
            return;
        };
        let share = (count.max(1) as f32).recip();
        for (index, group) in first.gradient.groups().into_iter().enumerate() {
            for other in &*others {
                let other = other.gradient.parts().swap_remove(index);
                for (sum, slope) in group.weights.iter_mut().zip(other) {
                    *sum += slope;
                }
            }
            for sum in group.weights {
                *sum *= share;
            }
        }
    }

    /// The gradient of the last batch's mean loss.
    pub(super) fn gradient(&self) -> &T::Learnt {
        &self.parts[0].gradient
    }
}

/// Indices of the items in random order, again and again.
struct Order {
    random: Random,
    numbers: Vec<u32>,
    next: usize,
}

impl Order {
    fn new(count: usize, seed: u64) -> Order {
        let numbers: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
        Order {
            random: Random::new(!seed),
            next: numbers.len(),
            numbers,
        }
    }

    /// Fills the batch. Each item comes once before any comes again.
    fn fill(&mut self, batch: &mut Vec<u32>, size: usize) {
        batch.clear();
        while batch.len() < size && !self.numbers.is_empty() {
            if self.next == self.numbers.len() {
                self.random.shuffle(&mut self.numbers);
                self.next = 0;
            }
            let end = self.numbers.len().min(self.next + size - batch.len());
            batch.extend_from_slice(&self.numbers[self.next..end]);
            self.next = end;
        }
    }
}

/// The rate at a step, from 0.
fn rate(settings: &Settings, step: u64, steps: u64) -> f64 {
    let (share, most) = WARM_UP;
    let warm_up = (share * steps as f64).clamp(1.0, most);
    let progress = step as f64 / steps.max(1) as f64;
    let cosine = (1.0 + (PI * progress).cos()) / 2.0;
    let rise = ((step + 1) as f64 / warm_up).min(1.0);
    settings.rate * rise * (LAST_RATE + (1.0 - LAST_RATE) * cosine)
}

/// Trains on the items, from the initial parameters `learnt`.
pub(super) fn train<T: Task>(
    task: &T,
    mut learnt: T::Learnt,
    items: &[T::Item],
    held_back: &[T::Item],
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress),
) -> io::Result<T::Learnt> {
    let count = items.len().min(u32::MAX as usize);
    let size = settings.batch.clamp(1, count.max(1));
    let steps_of = |epochs: f64| (epochs.max(0.0) * count as f64 / size as f64).round() as u64;
    let steps = steps_of(settings.epochs);
    let mut moments: Vec<Moments> = learnt
        .parts()
        .iter()
        .map(|part| Moments::new(part.len()))
        .collect();
    let mut batches = Batches::new(task, &learnt, settings.threads);
    let mut order = Order::new(count, settings.seed);
    let mut batch = Vec::new();
    let (mut loss, mut seen, mut epochs) = (0.0, 0, 1.0);
    for step in 0..steps {
        order.fill(&mut batch, size);
        loss += batches.run(&learnt, items, &batch)?;
        seen += batch.len();
        let adam = Step::new(step + 1, rate(settings, step, steps));
        let gradients = batches.gradient().parts();
        let mut groups = learnt.groups();
        for ((moments, group), gradient) in moments.iter_mut().zip(&mut groups).zip(gradients) {
            moments.step(adam, group, gradient);
        }
        let made = step + 1;
        if made >= steps_of(epochs) || made == steps {
            epochs += 1.0;
            progress(&Progress {
                epoch: made as f64 * size as f64 / count as f64,
                learn_loss: loss / seen as f64,
                held_back_loss: mean_loss(task, &learnt, held_back, settings.threads)?,
            });
            (loss, seen) = (0.0, 0);
        }
    }
    Ok(learnt)
}

/// Compares a task's gradient with differences of its loss; `plain` is the mean loss by plain formulas in double
/// precision, of parameters in the order of their groups. Of large groups only some parameters are checked.
#[cfg(test)]
pub(super) fn check_gradient<T: Task>(
    task: &T,
    learnt: &T::Learnt,
    items: &[T::Item],
    plain: impl Fn(&[Vec<f64>]) -> f64,
) {
    const LOOKED_AT: usize = 400;
    let order: Vec<u32> = (0..items.len() as u32).collect();
    let mut batches = Batches::new(task, learnt, 2);
    let loss = batches.run(learnt, items, &order).unwrap() / items.len() as f64;
    let parts = learnt.parts().into_iter();
    let mut parts: Vec<Vec<f64>> = parts
        .map(|part| part.iter().copied().map(f64::from).collect())
        .collect();
    assert!((loss - plain(&parts)).abs() < 1e-5);
    let mut random = Random::new(12);
    for (index, slopes) in batches.gradient().parts().into_iter().enumerate() {
        let sizes = slopes.iter().map(|slope| slope.abs());
        let most = sizes.fold(0.0, f32::max);
        let mut checked = 0;
        for look in 0..slopes.len().min(LOOKED_AT) {
            let place = match slopes.len() {
                few if few <= LOOKED_AT => look,
                many => random.below(many),
            };
            let mut moved = |by: f64| {
                parts[index][place] += by;
                let loss = plain(&parts);
                parts[index][place] -= by;
                loss
            };
            let numerical = (moved(1e-6) - moved(-1e-6)) / 2e-6;
            let off = (f64::from(slopes[place]) - numerical).abs();
            assert!(
                off < 1e-4 * f64::from(most),
                "part {index}, weight {place}: {off}"
            );
            checked += usize::from(slopes[place] != 0.0);
        }
        assert!(checked > 0, "part {index}");
    }
}
