"""Which memories fit into a budget."""

from collections.abc import Mapping, Sequence

from hypothesis import given, strategies as st

from sandbox.extensions.memory.assemble.fitting import Offer, choose, spent
from sandbox.extensions.memory.model import Section

SHARES: Mapping[Section, float] = {"facts": 0.4, "profiles": 0.25, "temporal": 0.25, "evidence": 0.1}
SECTIONS: Sequence[Section] = ("instructions", *SHARES)
HEADING = 6  # tokens of a day heading

offers = st.lists(
    st.builds(
        Offer,
        id=st.integers(1, 10_000),
        section=st.sampled_from(SECTIONS),
        cost=st.integers(1, 60),
        score=st.floats(0, 1),
        heading=st.sampled_from(["", "2026-03-01", "2026-03-02"]),
        heading_cost=st.just(HEADING),
    ),
    max_size=25,
    unique_by=lambda offer: offer.id,
)
budgets = st.integers(-10, 800)
shares = st.fixed_dictionaries({section: st.floats(0, 1.5) for section in SHARES})


def cost(chosen: Sequence[Offer]) -> int:
    """The cost of the chosen memories, with each heading once."""
    return sum(offer.cost for offer in chosen) + HEADING * len({offer.heading for offer in chosen} - {""})


@given(offers, shares, budgets)
def test_the_choice_fills_the_budget_and_no_more(
    offers: list[Offer], shares: Mapping[Section, float], budget: int
) -> None:
    """Other sections use the unused share of a section, down to the last token. The order is that of the offers."""
    chosen = choose(offers, shares, budget)
    assert spent(chosen) == cost(chosen) <= max(0, budget)
    assert chosen == [offer for offer in offers if offer in chosen]
    for left_out in (offer for offer in offers if offer not in chosen):
        assert cost([*chosen, left_out]) > budget


@given(offers, budgets)
def test_a_section_without_a_share_takes_half_before_all_others(offers: list[Offer], budget: int) -> None:
    standing = [offer for offer in offers if offer.section == "instructions"]
    if cost(standing) <= budget // 2:
        chosen = choose(offers, SHARES, budget)
        assert all(offer in chosen for offer in standing)


@given(offers, st.integers(1, 800), st.sampled_from(list(SHARES)))
def test_the_best_of_a_section_is_chosen_if_it_fits_its_share(
    offers: list[Offer], budget: int, section: Section
) -> None:
    """However much better all other memories are."""
    rivals = [offer for offer in offers if offer.section not in ("instructions", section)]
    best = Offer(20_000, section, 5, 0.0, "2026-03-02", HEADING)
    if int(budget * SHARES[section]) >= best.cost + HEADING:
        assert best in choose([*rivals, best], SHARES, budget)


@given(offers, budgets, st.data())
def test_the_choice_does_not_depend_on_the_order_of_offers(
    offers: list[Offer], budget: int, data: st.DataObject
) -> None:
    distinct = list({offer.score: offer for offer in offers}.values())  # of equals, the first is taken
    shuffled = data.draw(st.permutations(distinct))
    assert {offer.id for offer in choose(shuffled, SHARES, budget)} == {
        offer.id for offer in choose(distinct, SHARES, budget)
    }


@given(st.integers(1, 30), st.integers(0, 200), st.integers(1, 9))
def test_a_larger_budget_adds_to_the_choice(count: int, budget: int, each: int) -> None:
    alike = [Offer(index, "facts", each, 1 / (index + 1)) for index in range(count)]
    less, more = choose(alike, SHARES, budget), choose(alike, SHARES, budget + 1)
    assert more[: len(less)] == less
    assert len(less) == min(count, budget // each)


def test_shares_prevent_one_section_from_taking_all() -> None:
    facts = [Offer(index, "facts", 10, 0.9) for index in range(100)]
    turns = [Offer(100 + index, "temporal", 10, 0.1) for index in range(100)]
    chosen = choose([*facts, *turns], SHARES, 100)
    assert sum(offer.section == "temporal" for offer in chosen) == 2
    assert sum(offer.section == "facts" for offer in chosen) == 8


def test_many_wishes_leave_room_for_the_answer() -> None:
    wishes = [Offer(index, "instructions", 10, 1.0) for index in range(100)]
    turns = [Offer(100 + index, "temporal", 10, 0.1) for index in range(100)]
    chosen = choose([*wishes, *turns], SHARES, 100)
    assert [offer.section for offer in chosen] == ["instructions"] * 5 + ["temporal"] * 5
