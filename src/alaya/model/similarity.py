"""Cosines made comparable: the one scale that every threshold in alaya is on.

Embedding models squeeze cosines: for the e5 family unrelated passages stand at .7 to .9, and at
another height for each pair of scripts. So similarity = (cos - m) / (1 - m), clipped to 0..1,
where m is the median cosine of unrelated pairs of a query and a passage in these scripts: 0 is as
far as chance, 1 is the same.
"""

from __future__ import annotations

from collections.abc import Mapping

_CEILING = 0.99  # a median above it would make noise look like sameness


def script_pair(query_script: str, passage_script: str) -> str:
    """The key of a pair of scripts (see `words.script`), the query's first: `han|latin`."""
    return f"{query_script}|{passage_script}"


def median_for(
    query_script: str,
    passage_script: str,
    *,
    medians: Mapping[str, float],
    baseline: Mapping[str, float],
) -> float:
    """The median cosine of unrelated pairs in these scripts: the store's own estimate, else the
    embedder's, else that of the reversed pair, else 0 (cosines are taken as they are)."""
    keys = (
        script_pair(query_script, passage_script),
        script_pair(passage_script, query_script),
    )
    for key in keys:
        for known in (medians, baseline):
            if key in known:
                return min(max(known[key], 0.0), _CEILING)
    return 0.0


def similarity(
    cosine: float,
    query_script: str,
    *,
    passage_script: str,
    medians: Mapping[str, float],
    baseline: Mapping[str, float],
) -> float:
    """A cosine on the calibrated scale, 0..1.

    `medians` are the store's own (`GraphReader.calibration`), `baseline` is the embedder's.
    """
    middle = median_for(query_script, passage_script, medians=medians, baseline=baseline)
    return scaled(cosine, middle)


def scaled(cosine: float, middle: float) -> float:
    """The scale itself: 0 at `middle` (less than 1) and below, 1 at 1."""
    return min(1.0, max(0.0, (cosine - middle) / (1.0 - middle)))


def mixed_median(
    query_han: float,
    passage_han: float,
    *,
    medians: Mapping[str, float],
    baseline: Mapping[str, float],
) -> float:
    """As `median_for`, for texts that mix scripts: the median is that of the pairs, by shares.

    `query_han` and `passage_han` are how much of each is Chinese (`words.han_share`).
    """
    middle = 0.0
    for asking, share in (("han", query_han), ("latin", 1.0 - query_han)):
        for answering, part in (("han", passage_han), ("latin", 1.0 - passage_han)):
            if share and part:
                pair = median_for(asking, answering, medians=medians, baseline=baseline)
                middle += share * part * pair
    return middle


def mixed_similarity(
    cosine: float,
    query_han: float,
    *,
    passage_han: float,
    medians: Mapping[str, float],
    baseline: Mapping[str, float],
) -> float:
    """As `similarity`, for texts that mix scripts, see `mixed_median`."""
    return scaled(cosine, mixed_median(query_han, passage_han, medians=medians, baseline=baseline))
