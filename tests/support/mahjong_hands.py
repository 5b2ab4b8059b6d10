"""Hands of Mah Jong at random, and what the package `mahjong` says of them."""

from __future__ import annotations

import random

from ggtp.rules.mahjong.hands import CHOW, CLOSED, KONG, PONG, Hand, Meld
from ggtp.rules.mahjong.tiles import count
from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld as TheirMeld

THEIR_KINDS = {CHOW: TheirMeld.CHI, PONG: TheirMeld.PON, KONG: TheirMeld.KAN, CLOSED: TheirMeld.KAN}


def some_hand(rng: random.Random) -> Hand:
    """A whole hand: four sets and a pair, now and then seven pairs, often of few suits so that yaku are met."""
    while True:
        pool = rng.choice(
            [range(34), range(34), range(9), [*range(9, 18), *range(27, 34)], [0, 8, 9, 17, 18, *range(26, 34)]]
        )
        kinds, melds, concealed = list(pool), [], []
        if rng.random() < 0.08 and len(kinds) >= 7:
            concealed = [kind for kind in rng.sample(kinds, 7) for _ in range(2)]
        else:
            concealed += [rng.choice(kinds)] * 2
            shift = rng.random() < 0.3
            base = rng.randrange(7)
            for index in range(4):
                run = rng.random() < 0.6
                kind = base + 9 * (index % 3) if shift else rng.choice(kinds)
                if run and (kind >= 27 or kind % 9 > 6):
                    run = False
                claimed = rng.random() < 0.25
                if run:
                    if claimed:
                        melds.append(Meld(CHOW, kind))
                    else:
                        concealed += [kind, kind + 1, kind + 2]
                elif rng.random() < 0.15:
                    melds.append(Meld(rng.choice((KONG, CLOSED)), kind))
                elif claimed:
                    melds.append(Meld(PONG, kind))
                else:
                    concealed += [kind] * 3
        every = count([*concealed, *(tile for meld in melds for tile in meld.tiles())])
        if max(every) > 4:
            continue
        opened = any(meld.kind != CLOSED for meld in melds)
        luck, drawn = [], rng.random() < 0.5
        if not opened and rng.random() < 0.3:
            luck += ["riichi"] + (["ippatsu"] if rng.random() < 0.3 else [])
        if rng.random() < 0.1:
            luck.append("last tile")
        elif drawn and any(meld.kind in (KONG, CLOSED) for meld in melds) and "ippatsu" not in luck:
            luck.append("after a kong")
        dora = tuple(rng.choice(range(34)) for _ in range(rng.randrange(3)))
        seat, wind = rng.randrange(27, 31), rng.randrange(27, 29)
        return Hand(tuple(count(concealed)), tuple(melds), rng.choice(concealed), drawn, seat, wind, tuple(luck), dora)


def judged(hand: Hand) -> tuple[int, int, int, int] | None:
    """Han, fu, and what is paid by whom, as the package has it; None where it sees no yaku."""
    used: list[int] = [0] * 34

    def tile(kind: int) -> int:
        used[kind] += 1
        return kind * 4 + used[kind] - 1

    melds = [
        TheirMeld(THEIR_KINDS[meld.kind], [tile(kind) for kind in meld.tiles()], opened=meld.kind != CLOSED)
        for meld in hand.melds
    ]
    tiles = [tile(kind) for kind, amount in enumerate(hand.concealed) for _ in range(amount)]
    win = next(one for one in tiles if one // 4 == hand.tile)
    for meld in melds:
        tiles += meld.tiles
    last = "last tile" in hand.luck
    config = HandConfig(
        is_tsumo=hand.drawn,
        is_riichi="riichi" in hand.luck,
        is_ippatsu="ippatsu" in hand.luck,
        is_haitei=last and hand.drawn,
        is_houtei=last and not hand.drawn,
        is_rinshan="after a kong" in hand.luck,
        player_wind=hand.seat,
        round_wind=hand.wind,
        options=OptionalRules(has_open_tanyao=True, has_double_yakuman=False),
    )
    found = HandCalculator.estimate_hand_value(tiles, win, melds, [before(kind) * 4 for kind in hand.dora], config)
    if found.error:
        assert found.error == "no_yaku", found.error
        return None
    assert found.han is not None
    assert found.fu is not None
    assert found.cost is not None
    assert EAST == 27
    return found.han, found.fu, int(found.cost["main"]), int(found.cost["additional"])


def before(kind: int) -> int:
    """The indicator that makes a kind dora."""
    if kind < 27:
        return kind + 8 if kind % 9 == 0 else kind - 1
    if kind < 31:
        return 27 + (kind - 28) % 4
    return 31 + (kind - 32) % 3
