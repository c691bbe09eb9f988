"""The demand of an update in words: a sentence, a table, and plain data."""

from collections.abc import Sequence

from heatstudio.catalog.cloud.quota_rule import quota_facts
from heatstudio.text import counted
from heatstudio.update.plan.demand import ANY_KIND, Amount
from heatstudio.update.plan.demand_table import DemandRow

HEADER = ("Quota", "Adds", "Removes", "At the peak", "At the end")
_AT_MAXIMUM = "At maximum size"
_CONTENT = "Content of unknown types"


def demand_sentence(rows: Sequence[DemandRow]) -> str:
    """Return what an update adds and removes, else what later scaling adds; empty without rows."""
    sides = {"Adds": [(row.kind, row.adds) for row in rows], "removes": [(row.kind, row.removes) for row in rows]}
    known = [f"{verb} {_enumerated(side)}" for verb, side in sides.items() if any(amount.most for _, amount in side)]
    unknown = [noun_of(row.kind, 2) for row in rows if row.adds.unknown]
    if unknown:
        known.append(f"not known: {', '.join(unknown)}")
    if not known and (later := _enumerated([(row.kind, row.scaled) for row in rows])):
        known.append(f"adds nothing; scaling groups may add {later}")
    sentence = "; ".join(known)
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""


def _enumerated(side: Sequence[tuple[str, Amount]]) -> str:
    return ", ".join(_number(amount, kind) for kind, amount in side if amount.most)


def _number(amount: Amount, kind: str) -> str:
    if amount.least == amount.most and not amount.unknown:
        return counted(amount.most, noun_of(kind, 1), noun_of(kind, 2))
    return f"{amount.words()} {noun_of(kind, 2)}"


def noun_of(kind: str, number: int) -> str:
    """Return the noun for a number of things of a kind."""
    words = quota_facts().kinds.get(kind)
    return _CONTENT.lower() if words is None else words.one if number == 1 else words.many


def demand_cells(rows: Sequence[DemandRow]) -> list[tuple[str, ...]]:
    """Return the header and the rows of a table."""
    scales = any(row.scaled != row.end for row in rows)
    return [line if scales else line[:-1] for line in ((*HEADER, _AT_MAXIMUM), *map(row_words, rows))]


def row_words(row: DemandRow) -> tuple[str, ...]:
    """Return the texts of the columns, the last one for scaling."""
    noun = _CONTENT if row.kind == ANY_KIND else noun_of(row.kind, 2)
    amounts = (row.adds.words(), row.removes.words(), row.peak.words())
    return f"{noun[:1].upper()}{noun[1:]}", *amounts, row.end.words(signed=True), row.scaled.words(signed=True)


def demand_lines(rows: Sequence[DemandRow]) -> list[str]:
    """Return the lines of a table in plain text."""
    cells = demand_cells(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(f"{cell:{'>' if at else '<'}{widths[at]}}" for at, cell in enumerate(line)) for line in cells]


def demand_data(rows: Sequence[DemandRow]) -> list[dict[str, object]]:
    """Return the rows as plain data for JSON; a bound that is unknown is None."""
    return [
        {
            "kind": row.kind or None,
            "adds": row.adds.data,
            "removes": row.removes.data,
            "at_the_peak": row.peak.data,
            "at_the_end": row.end.data,
            "at_maximum_size": row.scaled.data,
            "resources": [
                {"resource": list(path), "adds": adds.data, "removes": removes.data}
                for one in row.changes
                for adds, removes in ((one.adds.share(len(one.paths)), one.removes.share(len(one.paths))),)
                for path in one.paths
            ],
        }
        for row in rows
    ]
