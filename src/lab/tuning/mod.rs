//! The tuner: numbers for the positional evaluation from Cassius's own games.
//!
//! 1. [`sample`] takes quiet positions from recorded games ([`super::selfplay`]), each with what became of it.
//! 2. [`fit`] moves the weights so that the values tell that better; [`chances`] fits what values mean in
//!    wins and draws.
//!
//! That the values of positions, through a logistic curve, should predict results is P. Österlund's
//! method ("Texel's tuning method", 2014); the gradient goes down by Adam (D. Kingma and J. Ba, "Adam:
//! a method for stochastic optimization", 2015), on all samples at once. Nothing is left to chance:
//! the same games give the same numbers. docs/evaluation.md keeps the recipe.

pub mod chances;
pub mod command;
pub mod fit;
pub mod sample;
