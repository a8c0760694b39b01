//! Training in batches, for all tasks.
//!
//! Each batch is split into the same number of parts whatever the number of threads, and the parts' gradients are added
//! in order, so that a seed gives the same weights on any number of threads.

use std::f64::consts::PI;
use std::io;

use super::adam::{Group, Moments, Step};
use super::layer::Hidden;
use super::sample::Sample;
use super::weights::Weights;
use cassius::random::Random;
use cassius::workers;

/// Parts of a batch; more threads than this do not help.
const PARTS: usize = 4;
/// Items of a part when losses are computed.
const LOSS_PART: usize = 8192;
/// Warm-up of the rate: fraction of the steps, and maximum number of steps.
const WARM_UP: (f64, f64) = (0.02, 200.0);
/// The last rate, as a fraction of the highest.
const LAST_RATE: f64 = 0.01;

/// Settings of a training run.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Passes over the samples, possibly fractional.
    pub epochs: f64,
    /// Samples of a step.
    pub batch: usize,
    /// Highest learning rate, about the distance that a step moves each weight: the rate rises to it at the beginning
    /// and falls along a cosine to a hundredth of it.
    pub rate: f64,
    /// Seed of the initial weights and of the order of samples.
    pub seed: u64,
    /// Number of threads, which does not change the result.
    pub threads: usize,
}

/// Progress of the training, after each epoch.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Passes over the samples so far.
    pub epoch: f64,
    /// Mean loss on the samples since the last report, computed before each step.
    pub learn_loss: f64,
    /// Mean loss on the held-back samples; NaN if there are none.
    pub held_back_loss: f64,
}

/// A task: items to learn from, and the loss of the network's output for each.
pub(super) trait Task: Sync {
    /// An item to learn from.
    type Item: Sync;
    /// Whether the hidden layer is learnt too, rather than the output's weights alone.
    const LEARNS_HIDDEN: bool;

    /// The position of an item.
    fn sample(item: &Self::Item) -> &Sample;
    /// The loss on an item, given the network's output, and its derivative by that output.
    fn loss(&self, item: &Self::Item, output: f32) -> (f32, f32);
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
    learnt: &Weights,
    items: &[T::Item],
    threads: usize,
) -> io::Result<f64> {
    let mut losses = vec![0.0; items.len().div_ceil(LOSS_PART)];
    let parts = items.chunks(LOSS_PART).zip(&mut losses);
    share(parts, threads, |(items, loss)| {
        let mut hidden = Hidden::new(learnt);
        let loss_of = |item| {
            let output = hidden.of(learnt, T::sample(item));
            f64::from(task.loss(item, output).0)
        };
        *loss = items.iter().map(loss_of).sum();
    })?;
    Ok(losses.iter().sum::<f64>() / items.len() as f64)
}

/// A part of a batch: the sums of its losses and gradients.
struct Part {
    loss: f64,
    gradient: Weights,
    hidden: Hidden,
}

/// Computes the gradients of batches.
pub(super) struct Batches<'a, T> {
    task: &'a T,
    parts: Vec<Part>,
    threads: usize,
}

impl<'a, T: Task> Batches<'a, T> {
    pub(super) fn new(task: &'a T, learnt: &Weights, threads: usize) -> Batches<'a, T> {
        let part = || Part {
            loss: 0.0,
            gradient: Weights::zero(learnt.hidden(), learnt.output.buckets()),
            hidden: Hidden::new(learnt),
        };
        Batches {
            task,
            parts: (0..PARTS).map(|_| part()).collect(),
            threads: threads.clamp(1, PARTS),
        }
    }

    /// Sums the losses on the items at `order`. Afterwards the first part holds the gradient of the mean loss.
    pub(super) fn run(
        &mut self,
        learnt: &Weights,
        items: &[T::Item],
        order: &[u32],
    ) -> io::Result<f64> {
        let size = order.len().div_ceil(PARTS).max(1);
        let task = self.task;
        let orders = order.chunks(size).chain(std::iter::repeat(&order[..0]));
        let parts = self.parts.iter_mut().zip(orders);
        share(parts, self.threads, |(part, order)| {
            part.loss = 0.0;
            for group in part.gradient.groups(T::LEARNS_HIDDEN) {
                group.weights.fill(0.0);
            }
            for &number in order {
                part.add(task, learnt, &items[number as usize]);
            }
        })?;
        self.add_parts(order.len());
        Ok(self.parts.iter().map(|part| part.loss).sum())
    }

    fn add_parts(&mut self, count: usize) {
        let Some((first, others)) = self.parts.split_first_mut() else {
            return;
        };
        let share = (count.max(1) as f32).recip();
        let groups = first.gradient.groups(T::LEARNS_HIDDEN);
        for (index, group) in groups.into_iter().enumerate() {
            for other in others.iter_mut() {
                let other = other.gradient.groups(T::LEARNS_HIDDEN).swap_remove(index);
                for (sum, slope) in group.weights.iter_mut().zip(other.weights) {
                    *sum += *slope;
                }
            }
            for sum in group.weights {
                *sum *= share;
            }
        }
    }

    /// The gradient of the last batch's mean loss.
    pub(super) fn gradient(&mut self) -> Vec<Group<'_>> {
        self.parts[0].gradient.groups(T::LEARNS_HIDDEN)
    }
}

impl Part {
    fn add<T: Task>(&mut self, task: &T, learnt: &Weights, item: &T::Item) {
        let sample = T::sample(item);
        let (loss, slope) = task.loss(item, self.hidden.of(learnt, sample));
        self.loss += f64::from(loss);
        if T::LEARNS_HIDDEN {
            self.hidden
                .add_gradient(learnt, sample, slope, &mut self.gradient);
        } else {
            self.hidden
                .add_output_gradient(sample, slope, &mut self.gradient.output);
        }
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

/// Learning rate at `step`, counted from 0.
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
    mut learnt: Weights,
    items: &[T::Item],
    held_back: &[T::Item],
    settings: &Settings,
    progress: &mut dyn FnMut(&Progress),
) -> io::Result<Weights> {
    let count = items.len().min(u32::MAX as usize);
    let size = settings.batch.clamp(1, count.max(1));
    let steps_of = |epochs: f64| (epochs.max(0.0) * count as f64 / size as f64).round() as u64;
    let steps = steps_of(settings.epochs);
    let groups = learnt.groups(T::LEARNS_HIDDEN);
    let lengths = groups.iter().map(|group| group.weights.len());
    let mut moments: Vec<Moments> = lengths.map(Moments::new).collect();
    let mut batches = Batches::new(task, &learnt, settings.threads);
    let mut order = Order::new(count, settings.seed);
    let mut batch = Vec::new();
    let (mut loss, mut seen, mut epochs) = (0.0, 0, 1.0);
    for step in 0..steps {
        order.fill(&mut batch, size);
        loss += batches.run(&learnt, items, &batch)?;
        seen += batch.len();
        let adam = Step::new(step + 1, rate(settings, step, steps));
        let gradient = batches.gradient();
        let mut groups = learnt.groups(T::LEARNS_HIDDEN);
        for ((moments, group), gradient) in moments.iter_mut().zip(&mut groups).zip(gradient) {
            moments.step(adam, group, gradient.weights);
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

/// Compares a task's gradient with finite differences of its loss; `plain` computes the mean loss in double precision
/// from the parameters in the order of their groups. Of large groups only some parameters are checked.
#[cfg(test)]
pub(super) fn check_gradient<T: Task>(
    task: &T,
    learnt: &mut Weights,
    items: &[T::Item],
    plain: impl Fn(&[Vec<f64>]) -> f64,
) {
    const LOOKED_AT: usize = 400;
    let order: Vec<u32> = (0..items.len() as u32).collect();
    let mut batches = Batches::new(task, learnt, 2);
    let loss = batches.run(learnt, items, &order).unwrap() / items.len() as f64;
    let groups = learnt.groups(T::LEARNS_HIDDEN).into_iter();
    let mut parts: Vec<Vec<f64>> = groups
        .map(|group| group.weights.iter().copied().map(f64::from).collect())
        .collect();
    assert!((loss - plain(&parts)).abs() < 1e-5);
    let mut random = Random::new(12);
    for (index, slopes) in batches.gradient().into_iter().enumerate() {
        let slopes = slopes.weights;
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
            let is_near = off < 1e-4 * f64::from(most);
            assert!(is_near, "part {index}, weight {place}: {off}");
            checked += usize::from(slopes[place] != 0.0);
        }
        assert!(checked > 0, "part {index}");
    }
}
