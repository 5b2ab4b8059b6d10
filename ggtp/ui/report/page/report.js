"use strict";
// The report's page: sorts tables, lists and filters games, and steps through them.
// All data is in the page, compressed; nothing is fetched. Texts are only ever put in as text.

const get = (id) => document.getElementById(id);
const chunks = new Map();

function unpack(id) {
  // A block of data by its id, unpacked once.
  if (!chunks.has(id)) {
    const bytes = Uint8Array.from(atob(get(id).textContent), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    chunks.set(id, new Response(stream).json());
  }
  return chunks.get(id);
}

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// Light and dark.

function setUpTheme() {
  const button = get("theme");
  const root = document.documentElement;
  const names = { "": "System", light: "Light", dark: "Dark" };
  const show = (theme) => {
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
    button.textContent = `Theme: ${names[theme]}`;
  };
  let theme = "";
  try { theme = localStorage.getItem("ggtp-theme") || ""; } catch { /* a file may have no storage */ }
  show(theme in names ? theme : "");
  button.hidden = false;
  button.addEventListener("click", () => {
    const order = Object.keys(names);
    const next = order[(order.indexOf(root.dataset.theme || "") + 1) % order.length];
    show(next);
    try { localStorage.setItem("ggtp-theme", next); } catch { /* it lasts as long as the page */ }
  });
}

// Tables that can be sorted.

function sortButton(cell, sort) {
  const button = make("button", { type: "button" }, ...cell.childNodes);
  cell.append(button);
  button.addEventListener("click", () => {
    const up = cell.getAttribute("aria-sort") === (cell.classList.contains("n") ? "descending" : "ascending");
    const direction = cell.classList.contains("n") === up ? "ascending" : "descending";
    for (const other of cell.parentElement.cells) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", direction);
    sort(cell.cellIndex, direction === "ascending" ? 1 : -1);
  });
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a === b ? 0 : a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

function cellValue(row, index) {
  const cell = row.cells[index];
  if (cell.dataset.value !== undefined) return cell.dataset.value === "" ? -Infinity : Number(cell.dataset.value.replace("inf", "Infinity"));
  return cell.textContent;
}

function setUpSorting() {
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    for (const cell of table.tHead.rows[0].cells) {
      if (cell.textContent.trim()) sortButton(cell, (index, sign) => {
        const rows = [...body.rows].sort((a, b) => sign * compare(cellValue(a, index), cellValue(b, index)));
        body.append(...rows);
      });
    }
  }
}

// The list of games.

const STEP = 200;
let index = null;
let order = [];
let shown = 0;

async function setUpList() {
  index = await unpack("data-index");
  if (!get("list")) {
    order = index.games.map((_, i) => i);
    return;
  }
  for (const [i, name] of index.players.entries()) {
    get("by-player").append(new Option(name, i));
    get("by-other").append(new Option(name, i));
  }
  for (const [i, name] of index.rules.entries()) get("by-rule").append(new Option(name, i));
  for (const name of [...new Set(index.games.map((game) => game.end))].sort()) get("by-end").append(new Option(name));
  for (const control of get("filters").elements) control.addEventListener("input", () => filter());
  get("filters").addEventListener("submit", (event) => event.preventDefault());
  get("filters").addEventListener("reset", () => setTimeout(filter));
  get("more").addEventListener("click", () => {
    const first = shown;
    showRows();
    get("list").tBodies[0].rows[first]?.querySelector("a").focus();
  });
  for (const cell of get("list").tHead.rows[0].cells) {
    sortButton(cell, (column, sign) => {
      order.sort((a, b) => sign * compare(columnValue(index.games[a], column), columnValue(index.games[b], column)) || a - b);
      restart();
    });
  }
  get("filters").hidden = false;
  filter();
  for (const cell of document.querySelectorAll("td[data-pair]")) {
    const [player, other] = cell.dataset.pair.split(" ");
    const button = make("button", { type: "button", title: "Show these games" }, ...cell.childNodes);
    button.addEventListener("click", () => {
      get("filters").reset();
      get("by-player").value = player;
      get("by-other").value = other;
      filter();
      get("games").scrollIntoView();
    });
    cell.append(button);
  }
}

function columnValue(game, column) {
  return [game.number, index.rules[game.rule], seatsText(game), resultText(game), game.end, game.length, game.faults][column];
}

function seatsText(game) {
  return game.seats.map(([, player]) => index.players[player]).join(" – ");
}

function resultText(game) {
  return game.seats.map(([, , score]) => (score === null ? "–" : String(score))).join(" : ");
}

function filter() {
  const player = get("by-player").value, other = get("by-other").value;
  const rule = get("by-rule").value, end = get("by-end").value;
  const result = get("by-result").value, faulty = get("by-fault").checked;
  const words = get("by-text").value.toLowerCase();
  order = [];
  for (const [i, game] of index.games.entries()) {
    const seats = game.seats;
    const own = player === "" ? seats : seats.filter((seat) => seat[1] === Number(player));
    if (!own.length) continue;
    if (other !== "" && other !== player && !seats.some((seat) => seat[1] === Number(other))) continue;
    if (rule !== "" && game.rule !== Number(rule)) continue;
    if (end !== "" && game.end !== end) continue;
    if (faulty && !game.faults) continue;
    if (result !== "" && !(player === "" ? seats : own).some((seat) => seat[3] === result)) continue;
    if (words && !`${game.id} ${game.reason} ${seatsText(game)}`.toLowerCase().includes(words)) continue;
    order.push(i);
  }
  for (const cell of get("list").tHead.rows[0].cells) cell.removeAttribute("aria-sort");
  restart();
}

function restart() {
  shown = 0;
  get("list").tBodies[0].replaceChildren();
  get("count").textContent = `${order.length} of ${index.games.length} games`;
  showRows();
}

function showRows() {
  const rows = order.slice(shown, shown + STEP).map((i) => {
    const game = index.games[i];
    const link = make("a", { href: `#game-${game.id}` }, game.id);
    const result = make("td", { className: "n" });
    for (const [place, seat] of game.seats.entries()) {
      if (place) result.append(" : ");
      result.append(make("span", { className: seat[3] }, seat[2] === null ? "–" : String(seat[2])));
    }
    const row = make("tr", {},
      make("td", {}, link), make("td", {}, index.rules[game.rule]), make("td", {}, seatsText(game)), result,
      make("td", { title: game.reason }, game.end), make("td", { className: "n" }, String(game.length)),
      make("td", { className: game.faults ? "n faulty" : "n" }, String(game.faults)));
    row.addEventListener("click", (event) => { if (event.target !== link) location.hash = `game-${game.id}`; });
    return row;
  });
  shown += rows.length;
  get("list").tBodies[0].append(...rows);
  get("more").hidden = shown >= order.length;
}

// The viewer.

const viewer = { game: null, replay: null, step: 0, layout: -1, playing: 0, noting: 0 };

async function openGame(id, step) {
  const place = index.games.findIndex((game) => game.id === id);
  if (place < 0) return;
  const game = index.games[place];
  const first = viewer.game !== game;
  const [chunk, slots] = await Promise.all([unpack(`data-${game.chunk}`), unpack("data-slots")]);
  if (first) {
    stop();
    Object.assign(viewer, { game, place, replay: chunk[game.place], slots, layout: -1, values: [], step: 0 });
    viewer.all = expand(viewer.replay.f);
    drawGame();
  }
  const dialog = get("dialog");
  if (dialog && !dialog.open) dialog.showModal();
  show(step === undefined ? 0 : step, false);
  if (first) get("viewer-title").focus();
}

function expand(frames) {
  // Each frame's layout and values, from the differences.
  let layout = -1, values = [];
  return frames.map((frame) => {
    values = values.slice();
    if (frame[0] === -1) {
      layout = frame[1];
      values = frame.slice(2);
    } else {
      for (let i = 0; i < frame.length; i += 2) values[frame[i]] = frame[i + 1];
    }
    return { layout, values };
  });
}

function drawGame() {
  const { game, replay } = viewer;
  get("viewer-title").textContent = game.title || `Game ${game.id}: ${index.rules[game.rule]}`;
  const seats = game.seats.map(([seat, player, score, standing]) =>
    make("li", {}, `${seat}: `, make("strong", {}, index.players[player] ?? "nobody"),
      ...(score === null ? [] : [" ", make("span", { className: standing }, `${score}`)])));
  get("seats").replaceChildren(...seats);
  get("outcome").textContent = [game.reason, replay.x].filter(Boolean).join(" · ");
  const moves = ["start", ...replay.s].map((text, step) => {
    const button = make("button", { type: "button" }, step ? `${step}. ${text}` : text);
    button.addEventListener("click", () => show(step));
    return make("li", {}, button);
  });
  get("moves").replaceChildren(...moves);
  get("seen").hidden = !replay.v;
  get("view").replaceChildren(new Option("the referee", ""), ...Object.keys(replay.v ?? {}).map((name) => new Option(name, name)));
  get("slider").max = String(replay.s.length);
  get("screen").replaceChildren();
  const list = order.length ? order : [viewer.place];
  const at = list.indexOf(viewer.place);
  get("previous-game").disabled = at <= 0;
  get("next-game").disabled = at < 0 || at >= list.length - 1;
}

function show(step, remember = true) {
  const last = viewer.replay.s.length;
  step = Math.max(0, Math.min(last, step));
  viewer.step = step;
  drawPicture(step);
  const text = step ? `${step}. ${viewer.replay.s[step - 1]}` : "start";
  get("caption").textContent = `${text}${step === last && viewer.game.reason ? ` – ${viewer.game.reason}` : ""}`;
  get("remark").textContent = viewer.replay.n?.[step] ?? "";
  get("slider").value = String(step);
  get("slider").setAttribute("aria-valuetext", `${step} of ${last}: ${text}`);
  for (const id of ["first", "back"]) get(id).disabled = step === 0;
  for (const id of ["forward", "last"]) get(id).disabled = step === last;
  get("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = get("moves").children[step].firstChild;
  current.setAttribute("aria-current", "step");
  const box = get("moves");
  const top = current.parentElement.offsetTop;
  if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight) {
    box.scrollTop = top - box.clientHeight / 2;
  }
  clearTimeout(viewer.noting);
  if (remember) viewer.noting = setTimeout(note, 250);
}

function note() {
  // The address of this move. Not at every step: browsers refuse too many changes in a short time.
  history.replaceState(null, "", `#game-${viewer.game.id}${viewer.step ? `@${viewer.step}` : ""}`);
}

function drawPicture(step) {
  const screen = get("screen");
  const frame = viewer.all[Math.min(step, viewer.all.length - 1)];
  if (!frame) {
    viewer.layout = -1;
    screen.replaceChildren(make("p", { className: "soft" }, "There is no picture of this game."));
    return;
  }
  if (frame.layout !== viewer.layout || !screen.firstChild) {
    screen.replaceChildren(get(`layout-${frame.layout}`).content.cloneNode(true));
    viewer.layout = frame.layout;
    viewer.values = [];
    viewer.places = [...screen.querySelectorAll("[data-slot]")];
  }
  const before = step ? viewer.all[Math.min(step, viewer.all.length - 1) - 1] : null;
  const same = before && before.layout === frame.layout;
  for (const [i, element] of viewer.places.entries()) {
    const [text, tone] = viewer.slots[frame.values[i]];
    const cell = element.lastElementChild;
    if (viewer.values[i] !== frame.values[i]) (cell ?? element).textContent = text;
    const classes = cell ? ["cell", `t-${tone}`] : ["note", `t-${tone}`];
    if (cell && element.classList.contains("dark")) classes.push("dark");
    if (cell && same && before.values[i] !== frame.values[i]) classes.push("changed");
    element.setAttribute("class", classes.join(" "));
  }
  viewer.values = frame.values;
  describe(screen);
}

function describe(screen) {
  // For those who do not see it: the rows of each board, as text.
  for (const board of screen.querySelectorAll("svg.board")) {
    const rows = new Map();
    for (const cell of board.querySelectorAll(".cell text")) {
      const y = cell.getAttribute("y");
      rows.set(y, [...(rows.get(y) ?? []), cell.textContent || "empty"]);
    }
    board.setAttribute("aria-label", [...rows.values()].map((row) => row.join(" ")).join("; "));
  }
}

const SIGNS = { Play: "M4 2v12l10-6z", Pause: "M3 2h4v12H3zM9 2h4v12H9z" };

function label(text) {
  get("play").setAttribute("aria-label", text);
  get("play").title = text;
  get("play").querySelector("path").setAttribute("d", SIGNS[text]);
}

function stop() {
  clearInterval(viewer.playing);
  viewer.playing = 0;
  label("Play");
}

function play() {
  if (viewer.playing) { stop(); return; }
  if (viewer.step === viewer.replay.s.length) show(0);
  label("Pause");
  viewer.playing = setInterval(() => {
    show(viewer.step + 1);
    if (viewer.step === viewer.replay.s.length) stop();
  }, Math.max(100, Math.min(700, 60000 / viewer.replay.s.length)));  // about a minute for a long game
}

function otherGame(by) {
  const list = order.length ? order : [viewer.place];
  const place = list[list.indexOf(viewer.place) + by];
  clearTimeout(viewer.noting);  // or the old game's address could come after the new one's
  if (place !== undefined) location.hash = `game-${index.games[place].id}`;
}

function setUpViewer() {
  const actions = {
    first: () => show(0), back: () => show(viewer.step - 1), play,
    forward: () => show(viewer.step + 1), last: () => show(Infinity),
    "previous-game": () => otherGame(-1), "next-game": () => otherGame(1),
  };
  for (const [id, action] of Object.entries(actions)) {
    get(id).addEventListener("click", () => { if (id !== "play") stop(); action(); });
  }
  get("view").addEventListener("input", () => {
    const name = get("view").value;
    viewer.all = expand(name === "" ? viewer.replay.f : viewer.replay.v[name]);
    viewer.layout = -1;
    show(viewer.step);
  });
  get("slider").addEventListener("input", () => { stop(); show(Number(get("slider").value)); });
  get("copy").addEventListener("click", async () => {
    const moves = (viewer.replay.m ?? viewer.replay.s).map((move) => `force_play ${move}\n`);
    const text = index.heads[viewer.game.head] + moves.join("");
    try {
      await navigator.clipboard.writeText(text);
      get("copied").textContent = "Copied.";
    } catch {
      const link = make("a", { href: URL.createObjectURL(new Blob([text])), download: `game-${viewer.game.id}.ggtp` });
      link.click();
      get("copied").textContent = "Saved.";
    }
    setTimeout(() => { get("copied").textContent = ""; }, 3000);
  });
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play", n: "next-game", p: "previous-game" };
  document.addEventListener("keydown", (event) => {
    const dialog = get("dialog");
    if (!viewer.replay || (dialog && !dialog.open) || event.ctrlKey || event.altKey || event.metaKey) return;
    const id = keys[event.key];
    // A slider has arrow keys of its own, and a button its own space bar.
    if (!id || event.target.tagName === "SELECT" || (event.target.type === "range" && event.key !== " ")) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    event.preventDefault();
    if (!get(id).disabled) get(id).click();
  });
  const dialog = get("dialog");
  if (dialog) {
    get("close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => {
      stop();
      clearTimeout(viewer.noting);
      history.replaceState(null, "", location.pathname + location.search);
      get("list")?.querySelector(`a[href="#game-${CSS.escape(viewer.game.id)}"]`)?.focus();
    });
  }
  window.addEventListener("hashchange", followHash);
}

function followHash() {
  const found = /^#game-([^@]+)(?:@(\d+))?$/.exec(decodeURIComponent(location.hash));
  if (found) openGame(found[1], found[2] === undefined ? undefined : Number(found[2]));
}

async function main() {
  setUpTheme();
  setUpSorting();
  setUpViewer();
  await setUpList();
  if (location.hash.startsWith("#game-")) followHash();
  else if (!get("dialog") && index.games.length) await openGame(index.games[0].id);
  document.documentElement.dataset.ready = "yes";
}

main();
