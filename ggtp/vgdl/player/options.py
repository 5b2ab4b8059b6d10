"""What can be set of the hybrid player: every part of it has a switch or a weight.

The compiler is not needed here, so that whoever only asks what can be set has an answer at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ggtp.game import number, switch


@dataclass(frozen=True, slots=True)
class Interest:
    """What each expected effect adds to the interest in a thing."""

    win: float = 20.0
    gain: float = 5.0
    cost: float = -5.0
    blocks: float = -100.0
    portal: float = 1.5
    unmet: float = 4.0
    inventory: float = 3.0
    become: float = 4.0
    use: float = 4.0
    danger: float = 80.0
    """What it costs to enter a square where a danger is at once, in steps."""
    patience: int = 25
    """After how many ticks without coming nearer another target is chosen."""
    courage: int = 4
    """How often patience must be lost before risks are taken; 0: never."""
    columns: bool = True
    """Where one can only go sideways, the target is a column."""


@dataclass(frozen=True, slots=True)
class Learning:
    """What is learned by watching."""

    control: bool = True
    """Whether the avatar obeys."""
    wills: bool = True
    """What moves by chance, or by a will of its own."""
    habits: bool = True
    """How far and how often things move; without that, a square in each tick."""
    portals: bool = True
    """Where portals lead."""
    inventory: bool = True
    """How collisions depend on what the avatar has."""
    spawners: bool = True
    """On what things appear."""
    effects: bool = True
    """All that comes of collisions; without that, only points and the end."""


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How the tree search looks ahead and what counts at the end of a look."""

    depth: int = 20
    rollout: int = 8
    outcome: float = 1000.0
    score: float = 50.0
    target: float = 50.0
    steps: float = 1.0
    exploration: float = 0.7
    epsilon: float = 0.2
    backtracks: int = 4
    priors: bool = True
    greedy: bool = True
    open_loop: bool = True
    """Chance is drawn anew in each iteration."""
    most_visited: bool = True
    """What was tried most often is chosen; else what has the best mean."""


@dataclass(frozen=True, slots=True)
class HybridSettings:
    """Every part can be switched off, to see what it is good for."""

    search: bool = True
    """Looks for a plan."""
    tree: bool = True
    """Searches a tree."""
    pre_run: bool = True
    """Uses the time before the first tick."""
    three_ticks: bool = True
    """Looks for a plan in the first three ticks whatever is seen."""
    kb_pruning: bool = True
    """Leaves out actions by what is known."""
    prune_idle: bool = True
    """... those that do nothing."""
    prune_losing: bool = True
    """... those that lose."""
    prune_outside: bool = True
    """... those that lead off the board."""
    wait: bool = True
    """Does nothing while it looks for a plan; else what the tree search prefers."""
    replay: bool = True
    """Plays a plan to its end; else it looks for another after each action."""
    switch: bool = True
    """Goes over to the tree search when no plan can help; else it looks for one to the end."""
    equal_pruning: bool = True
    """Looks at equal states once."""
    prediction: bool = True
    """Foresees equal states, too."""
    score_weight: float = 4.0
    """What a point counts in the search for a plan, in steps."""
    target_chooser: bool = True
    give_up: float = 0.75
    """The part of all ticks after which no plan is looked for any more."""
    cautious: bool = True
    """Leaves out what might lose."""
    first_win: bool = False
    """Plays the first plan that wins, however few points it brings."""
    look_ahead: int = 3
    """By how many ticks of doing nothing the view of the end grows in each tick."""
    megabytes: int = 256
    trees: TreeSettings = field(default_factory=TreeSettings)
    interest: Interest = field(default_factory=Interest)
    learning: Learning = field(default_factory=Learning)


OPTIONS = (
    switch("Search", True, "look for a plan first, where nothing is left to chance"),
    switch("Tree", True, "search a tree of actions where no plan helps"),
    switch("PreRun", True, "use the start clock"),
    switch("ThreeTicks", True, "look for a plan in the first three ticks, whatever moves then"),
    switch("Pruning", True, "leave out actions by what was learned of collisions"),
    switch("PruneIdle", True, "among them, those that change nothing"),
    switch("PruneLosing", True, "among them, those that lose"),
    switch("PruneOutside", True, "among them, those that lead off the board"),
    switch("Wait", True, "do nothing while a plan is looked for; off: what the tree search prefers"),
    switch("Replay", True, "play a plan to its end; off: look for another after each action"),
    switch("Switch", True, "go over to the tree search when no plan can help; off: look for one to the end"),
    switch("Predict", True, "foresee which states are known already, in the search for a plan"),
    switch("Duplicates", True, "look at equal states once, in the search for a plan"),
    switch("FirstWin", False, "play the first plan that wins, however few points it brings"),
    switch("Caution", True, "leave out actions after which something that moves might kill"),
    switch("Targets", True, "choose a thing to go to"),
    switch("Priors", True, "expect more of actions that lead to the target, before they were tried"),
    switch("Greedy", True, "go towards the target in playouts, mostly"),
    switch("OpenLoop", True, "draw chance anew in each iteration of the tree search"),
    switch("MostVisited", True, "play what the tree search tried most often; off: what has the best mean"),
    switch("Control", True, "notice when the avatar does not obey"),
    switch("Wills", True, "find out what moves by chance, or by a will of its own"),
    switch("Habits", True, "learn how far and how often things move; off: a square in each tick"),
    switch("Portals", True, "learn where portals lead"),
    switch("Inventory", True, "learn how collisions depend on what the avatar has"),
    switch("Spawners", True, "learn where things appear, and keep away from where deadly ones do"),
    switch("Effects", True, "tell collisions apart by all that comes of them; off: by points and the end alone"),
    switch("Columns", True, "go to the column with the most of interest, where one can only go sideways"),
    number("ScoreWeight", 4, 0, 10_000, "what a point counts in the search for a plan, in steps; 0: breadth-first"),
    number("GiveUp", 75, 0, 100, "the percentage of all ticks after which no plan is looked for any more"),
    number("LookAhead", 3, 0, 1000, "by how many ticks of doing nothing the view of the end grows in each tick"),
    number("Danger", 80, 0, 1_000_000, "what it costs to enter a square where a danger is at once, in steps"),
    number("Patience", 25, 0, 1_000_000, "after how many ticks without coming nearer another target is chosen"),
    number("Courage", 4, 0, 1_000_000, "how often patience must be lost before risks are taken; 0: never"),
    number("WinInterest", 200, 0, 1_000_000, "how interesting a thing is that wins the game, in tenths"),
    number("GainInterest", 50, 0, 1_000_000, "the same of what brings points"),
    number("ItemInterest", 30, 0, 1_000_000, "the same of what the avatar takes"),
    number("ChangeInterest", 40, 0, 1_000_000, "the same of what makes another avatar of it"),
    number("UnmetInterest", 40, 0, 1_000_000, "the same of what was never met"),
    number("PortalInterest", 15, 0, 1_000_000, "what a portal adds to that"),
    number("UseInterest", 40, 0, 1_000_000, "the same of what is worth shooting at"),
    number("CostInterest", 50, 0, 1_000_000, "what points and health that it costs take away from it"),
    number("BlockInterest", 1000, 0, 1_000_000, "what is taken away from what only blocks"),
    number("Outcome", 1000, 0, 1_000_000, "what a win counts in the tree search, and a loss against it"),
    number("Points", 50, 0, 1_000_000, "what a point counts in the tree search"),
    number("Distance", 50, 0, 1_000_000, "what the distance to the target counts in the tree search"),
    number("Steps", 1, 0, 1_000_000, "what each tick costs in the tree search"),
    number("Epsilon", 20, 0, 100, "the percentage of random steps in playouts"),
    number("Backtracks", 4, 0, 5, "how many other actions are tried where a playout has lost"),
    number("Depth", 20, 1, 1000, "how many ticks an iteration of the tree search looks ahead at most"),
    number("Rollout", 8, 0, 1000, "how many of them are a playout"),
    number("Exploration", 70, 0, 10_000, "weight of what is little known, in hundredths"),
    number("Advances", 0, 0, 10_000_000, "how many ticks to simulate for a move; 0: as many as there is time for"),
)


def _trees(whole: Mapping[str, int], on: Mapping[str, bool]) -> TreeSettings:
    return TreeSettings(
        depth=whole["Depth"],
        rollout=whole["Rollout"],
        outcome=float(whole["Outcome"]),
        score=float(whole["Points"]),
        target=float(whole["Distance"]),
        steps=float(whole["Steps"]),
        exploration=whole["Exploration"] / 100,
        epsilon=whole["Epsilon"] / 100,
        backtracks=whole["Backtracks"],
        priors=on["Priors"],
        greedy=on["Greedy"],
        open_loop=on["OpenLoop"],
        most_visited=on["MostVisited"],
    )


def _interest(whole: Mapping[str, int], on: Mapping[str, bool]) -> Interest:
    return Interest(
        win=whole["WinInterest"] / 10,
        gain=whole["GainInterest"] / 10,
        cost=-whole["CostInterest"] / 10,
        blocks=-whole["BlockInterest"] / 10,
        portal=whole["PortalInterest"] / 10,
        unmet=whole["UnmetInterest"] / 10,
        inventory=whole["ItemInterest"] / 10,
        become=whole["ChangeInterest"] / 10,
        use=whole["UseInterest"] / 10,
        danger=float(whole["Danger"]),
        patience=whole["Patience"],
        courage=whole["Courage"],
        columns=on["Columns"],
    )


def _learning(on: Mapping[str, bool]) -> Learning:
    return Learning(
        control=on["Control"],
        wills=on["Wills"],
        habits=on["Habits"],
        portals=on["Portals"],
        inventory=on["Inventory"],
        spawners=on["Spawners"],
        effects=on["Effects"],
    )


def read(values: Mapping[str, str]) -> HybridSettings:
    """The settings in the canonical texts of all options."""
    whole = {option.name: int(values[option.name]) for option in OPTIONS if option.low is not None}
    on = {option.name: values[option.name] == "on" for option in OPTIONS if option.low is None}
    return HybridSettings(
        search=on["Search"],
        tree=on["Tree"],
        pre_run=on["PreRun"],
        three_ticks=on["ThreeTicks"],
        kb_pruning=on["Pruning"],
        prune_idle=on["PruneIdle"],
        prune_losing=on["PruneLosing"],
        prune_outside=on["PruneOutside"],
        wait=on["Wait"],
        replay=on["Replay"],
        switch=on["Switch"],
        prediction=on["Predict"],
        equal_pruning=on["Duplicates"],
        first_win=on["FirstWin"],
        cautious=on["Caution"],
        target_chooser=on["Targets"],
        score_weight=float(whole["ScoreWeight"]),
        give_up=whole["GiveUp"] / 100,
        look_ahead=whole["LookAhead"],
        megabytes=max(8, int(values["memory"]) // 2) if values.get("memory", "0") != "0" else 256,
        trees=_trees(whole, on),
        interest=_interest(whole, on),
        learning=_learning(on),
    )


ABLATIONS: Mapping[str, Mapping[str, str]] = {
    "default": {},
    "w/o pre run": {"PreRun": "off"},
    "w/o BFS": {"Search": "off"},
    "w/o 3 tick rule": {"ThreeTicks": "off"},
    "w/o MCTS": {"Tree": "off"},
    "w/o KB pruning": {"Pruning": "off"},
    "breadth-first search": {"ScoreWeight": "0"},
    "w/o equal pruning": {"Duplicates": "off"},
    "w/o score heuristic": {"Points": "0"},
    "w/o node init": {"Priors": "off"},
    "w/o win heuristic": {"Outcome": "0"},
    "random rollouts": {"Greedy": "off"},
    "w/o steps heuristic": {"Steps": "0"},
    "w/o target chooser": {"Targets": "off", "Steps": "0"},
}
"""The enhancements that a paper has switched off one by one, as options."""

RIVALS: Mapping[str, Mapping[str, str]] = {
    "Hybrid": {},
    "MCTS": {
        "Search": "off",
        "PreRun": "off",
        "Pruning": "off",
        "Caution": "off",
        "Targets": "off",
        "Priors": "off",
        "Greedy": "off",
        "Backtracks": "0",
        "Steps": "0",
    },
    "Best-first": {"Tree": "off"},
}
"""The player beside plainer ones, which are what is left of it when things are switched off."""
