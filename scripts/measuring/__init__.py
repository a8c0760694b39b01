"""The measuring instrument behind scripts/measure: how well do searches value positions and choose moves?
docs/measuring.md defines every term and formula.

    positions.py    position sets from games
    engines.py      UCI engines: one search, one answer
    judge.py        a judge's values of positions and moves
    compare.py      searches against the judge, and the factors that bring values to the judge's scale
    labels.py       a judge's values of every position of games, and what each move played costs by them
    marks.py        the marks and chances of analysed games against labels
    words.py        the labels of analysed games (only move, better, ...) against a judge
    statistics.py   chances, means and their errors, slopes: pure functions
    files.py        JSON lines that survive being killed; folders of one run; tables; progress (other scripts use it, too)
    __main__.py     the command line
"""
