"""Chances from values, means over positions with errors by game, slopes, factors. Nothing here reads a file."""

import math

import numpy

# Centipawns in which the odds grow by a factor of e. With 200 a chance differs by less than 0.02 from the points
# that Cassius expects by its own model of wins and draws (src/wdl.rs).
SCALE = 200.0
# So many resamples tell a standard error to 2 %.
RESAMPLES = 1000
# A factor is sought among these: a quarter to four, in steps of 1.1 %.
FACTORS = [2 ** (step / 64) for step in range(-128, 129)]


def chance(value, factor=1.0):
    """The chance, 0 to 1, of the side to move: wins, and half of the draws. A mate is certain."""
    if "mate" in value:
        return 1.0 if value["mate"] > 0 else 0.0
    # The logistic 1 / (1 + exp(-factor * cp / SCALE)), in a form that cannot overflow.
    return (1.0 + math.tanh(factor * value["cp"] / (2.0 * SCALE))) / 2.0


def distance(value, judged, factor=1.0):
    """How far a value is from the judge's, in permille of a chance."""
    return 1000.0 * abs(chance(value, factor) - chance(judged))


def loss(move, judged_moves):
    """What a move gives away, in permille: the judge's chance of its best move less that of this one."""
    best = max(map(chance, judged_moves.values()))
    return 1000.0 * (best - chance(judged_moves[move]))


def fit_factor(pairs):
    """The factor on the stated values that makes the mean distance least, of pairs (stated, judged)."""
    def badness(factor):
        return sum(distance(stated, judged, factor) for stated, judged in pairs), abs(math.log(factor))

    return min(FACTORS, key=badness)


class Figure:
    """A number, and what it would have been in each resample of the games."""

    def __init__(self, value, resampled):
        self.value, self.resampled = value, resampled

    def error(self):
        """The standard error: the deviation over the resamples. Not a number where it cannot be told."""
        known = self.resampled[~numpy.isnan(self.resampled)]
        return float(numpy.std(known, ddof=1)) if len(known) > 1 else math.nan

    def __sub__(self, other):
        return Figure(self.value - other.value, self.resampled - other.resampled)


class Bootstrap:
    """Resamples of the games, drawn whole and with replacement.

    Positions of one game are alike, so games are what is independent. Every figure uses the same resamples:
    the difference of two figures has the error of a paired comparison.
    """

    def __init__(self, games, seed=1, resamples=RESAMPLES):
        """`games` holds the game of each position."""
        names, self.game_of = numpy.unique(numpy.array(list(games), dtype=str), return_inverse=True)
        self.games = len(names)
        # RandomState gives the same numbers in every version of numpy; newer generators do not promise it.
        draws = numpy.random.RandomState(seed).randint(self.games, size=(resamples, self.games))
        self.weights = numpy.stack([numpy.bincount(draw, minlength=self.games) for draw in draws]).astype(float)

    def mean(self, values, chosen=None):
        """The mean of a number for each position, over those that are chosen (by default all)."""
        values = numpy.asarray(values, dtype=float)
        chosen = numpy.ones(len(values)) if chosen is None else numpy.asarray(chosen, dtype=float)
        sums = numpy.bincount(self.game_of, values * chosen, self.games)
        counts = numpy.bincount(self.game_of, chosen, self.games)
        with numpy.errstate(invalid="ignore"):
            resampled = (self.weights @ sums) / (self.weights @ counts)
        # One game is no sample of games.
        if numpy.count_nonzero(counts) < 2:
            resampled = numpy.full(len(resampled), math.nan)
        return Figure(float(sums.sum() / counts.sum()) if counts.sum() else math.nan, resampled)


    def correlation(self, one, other):
        """Pearson's correlation of two numbers for each position."""
        one, other = (numpy.asarray(it, dtype=float) for it in (one, other))
        terms = [numpy.ones(len(one)), one, other, one * one, other * other, one * other]
        sums = numpy.stack([numpy.bincount(self.game_of, term, self.games) for term in terms], axis=1)

        def of(count, x, y, xx, yy, xy):
            with numpy.errstate(invalid="ignore", divide="ignore"):
                return (count * xy - x * y) / numpy.sqrt((count * xx - x * x) * (count * yy - y * y))

        return Figure(float(of(*sums.sum(axis=0))), self._only_games(of(*(self.weights @ sums).T)))

    def auc(self, scores, wanted):
        """The chance that of two positions, one wanted and one not, the wanted one has the higher score; a tie counts half."""
        levels, level_of = numpy.unique(numpy.asarray(scores, dtype=float), return_inverse=True)
        wanted = numpy.asarray(wanted, dtype=float)

        def of(weights):
            good = numpy.bincount(level_of, weights * wanted, len(levels))
            bad = numpy.bincount(level_of, weights * (1.0 - wanted), len(levels))
            pairs = good.sum() * bad.sum()
            return float(good @ (numpy.cumsum(bad) - bad / 2.0) / pairs) if pairs else math.nan

        resampled = numpy.array([of(weights[self.game_of]) for weights in self.weights])
        return Figure(of(numpy.ones(len(wanted))), self._only_games(resampled))

    def calibration_error(self, chances, came, bins=10):
        """The mean distance of stated chances from shares over bins of equal width, weighted by what falls into each."""
        chances, came = (numpy.asarray(it, dtype=float) for it in (chances, came))
        cells = bins_of(chances, bins) + bins * self.game_of
        gaps = numpy.bincount(cells, chances - came, bins * self.games).reshape(self.games, bins)
        count = numpy.bincount(self.game_of, minlength=self.games)
        with numpy.errstate(invalid="ignore"):
            resampled = numpy.abs(self.weights @ gaps).sum(axis=1) / (self.weights @ count)
        value = float(numpy.abs(gaps.sum(axis=0)).sum() / count.sum()) if len(chances) else math.nan
        return Figure(value, self._only_games(resampled))

    def _only_games(self, resampled):
        """One game is no sample of games."""
        return resampled if self.games > 1 else numpy.full(len(resampled), math.nan)


def bins_of(chances, bins=10):
    """The number of the bin of equal width that each chance, 0 to 1, falls into."""
    return numpy.minimum((numpy.asarray(chances, dtype=float) * bins).astype(int), bins - 1)


def slope(limits, figures):
    """By how much figures grow with each doubling of the limit: the least-squares line on log2 of the limit."""
    x = numpy.log2(numpy.array(limits, dtype=float))
    x -= x.mean()
    weights = x / (x @ x)
    return Figure(
        float(sum(weight * figure.value for weight, figure in zip(weights, figures))),
        sum(weight * figure.resampled for weight, figure in zip(weights, figures)),
    )
