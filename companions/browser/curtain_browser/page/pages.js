// What stands on the screen: made from the welcome, the view and what was shown, and from what the page knows sooner.

import { Exchange, byId, made } from "./exchange.js";
import { now } from "./outbox.js";
import { directionOf, fill, wordsIn } from "./words.js";

const CALLED_MS = 20_000;
const SURE_MS = 6000;
const LEVEL_MS = 100;
const BAD = ["no_microphone", "no_sound"];
const TESTED = ["playing", "good", "quiet", "loud", "no_playback"];
const put = (id, text) => {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
};
const show = (id, isShown) => { byId(id).hidden = !isShown; };

export class Pages {
  // `act(what, more)` is what the subject did; `painted(more, ms)` what has reached the screen.
  constructor({ act, painted }) {
    this.act = act;
    this.painted = painted;
    this.texts = wordsIn(navigator.language);
    this.welcome = { talk_key: "space", voice: "" };
    this.view = { page: "waiting", state: "idle" };
    this.screen = { view: this.view, readiness: "opening", heard: "nothing", answers: {}, through: 0 };
    this.shown = { scenario: null, current: null, earlier: [], closing: "" };
    this.held = { state: "", n: 0 };
    this.isAway = false;
    this.microphone = { state: "opening", names: [] };
    this.exchange = new Exchange((parts) => this.afterPaint(() => parts.forEach((part) => this.report(part))));
    this.reported = new Set();
    this.sure = this.called = this.peak = this.levelAt = 0;
    this.isTyping = this.isFolded = false;
    this.wire();
    put("waiting", this.texts.page_calling);
    show("page-waiting", true);
  }

  get mayTalk() {
    return this.view.talking_allowed && !byId(`page-${this.view.page}`).hidden;
  }

  welcomed(welcome) {
    this.welcome = welcome;
    this.texts = { ...wordsIn(welcome.language), ...welcome.texts };
    const { texts } = this;
    document.documentElement.lang = welcome.language;
    document.documentElement.dir = directionOf(texts.waiting);
    document.title = welcome.title || texts.window_title;
    for (const element of document.querySelectorAll("[data-text]")) element.textContent = texts[element.dataset.text];
    const named = welcome.talk_key.toLowerCase() === "space" ? texts.talk_space : welcome.talk_key.toUpperCase();
    // Where fingers talk there is no such key.
    this.key = matchMedia("(pointer: coarse)").matches ? texts.page_here : named;
    this.ways = this.key === named ? `${named} ${texts.page_or_button}` : this.key;
    show("trial", welcome.pilot);
    put("briefing-title", welcome.title || texts.briefing_title);
    put("briefing-session", welcome.briefing.trim() || texts.briefing_session);
    put("briefing-database", welcome.database.trim());
    show("briefing-about", welcome.database.trim());
    byId("solution").placeholder = texts.solution_label;
    for (const [id, words] of [["solution", texts.solution_label], ["level", texts.level], ["mic-level", texts.level],
      ["mic-names", texts.mic_title], ["answer", texts.answer]]) byId(id).setAttribute("aria-label", words);
    this.askNoMore();
    this.showHelp(false);
    this.exchange.texts = texts;
    this.render();
  }

  showView(screen) {
    const before = this.view;
    [this.screen, this.view] = [screen, screen.view];
    // Of a hold that the gateway has not heard of yet, the page knows better.
    if (screen.through >= this.held.n && !this.isHeld()) this.held = { state: "", n: 0 };
    if (screen.heard === "playing" && this.heard !== "playing") this.playTest();
    this.heard = screen.heard;
    if (this.view.page !== before.page) this.turnTo(this.view.page);
    if (this.view.typing_allowed && !before.typing_allowed) this.focusField();
    this.render();
  }

  showShown(shown) {
    this.shown = shown;
    // A gateway that has just started knows of none yet.
    const task = shown.scenario && `${shown.scenario.seq} ${shown.scenario_over}`;
    if (task && task !== this.task) {
      // What was begun belonged to the last task.
      this.task = task;
      byId("question").value = byId("solution").value = "";
      this.isTyping = this.isFolded = false;
      this.toggleHistory(false);
      put("announce", this.taskText() ?? "");
      document.body.dataset.shownScenario = "";
    }
    this.chosen = null;
    this.render();
  }

  showMicrophone(microphone) {
    this.microphone = microphone;
    byId("mic-names").replaceChildren(...microphone.names.map(([id, name]) => new Option(name, id, false, name === microphone.name)));
    this.render();
  }

  // Ten times a second and only where it is seen: each step is drawn, on the thread that takes the sound.
  showLevel(peak) {
    const meter = byId(this.view.page === "main" ? "level" : "mic-level");
    this.peak = Math.max(this.peak, peak);
    if (now() - this.levelAt < LEVEL_MS || !meter.offsetParent) return;
    meter.value = Math.max(0, 60 + 20 * Math.log10(this.peak || 1e-9));
    [this.levelAt, this.peak] = [now(), 0];
  }

  // What the browser still holds, below the last words; or that this page is `gone`.
  announce(where, why) {
    if (where === "gone") this.turnTo(where);
    put(where, this.texts[why] ?? "");
  }

  hold(state, n) {
    this.held = { state, n };
    this.render();
    if (state !== "one_moment" || this.view.page !== "main") return;
    put("announce", this.texts.one_moment);
    this.reportMoment();
  }

  // Its turn is the gateway's to know: it is that of the hold, or the question, before.
  reportMoment() {
    this.afterPaint((ms) => this.painted({ what: "one_moment" }, ms));
  }

  afterPaint(then) {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => then(now());
      port2.postMessage(0);
    });
  }

  report({ what, seq, turn }) {
    const key = `${what} ${seq}`;
    if (this.view.page !== "main" || this.reported.has(key)) return;
    this.reported.add(key);
    this.painted({ what, seq, turn }, now());
    if (what === "scenario") document.body.dataset.shownScenario = this.shown.scenario.scenario_id;
    if (what === "answer" || what === "message") document.body.dataset.shownTurn = turn;
    if (what === "answer" || what === "message") this.say(this.exchange.spoken());
  }

  say(words) {
    put("announce", `${this.texts.answer}: ${words}`);
    // Never into a take; and no voice that sends the words elsewhere.
    const voice = this.welcome.voice && speechSynthesis.getVoices().find((one) =>
      one.localService && one.lang.toLowerCase().startsWith(this.welcome.voice));
    if (!voice || this.isHeld()) return;
    speechSynthesis.cancel();
    speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(words), { voice, lang: voice.lang }));
  }

  turnTo(page) {
    for (const section of document.querySelectorAll("section")) section.hidden = section.id !== `page-${page}`;
    // So that a screen reader begins at the top of the new page.
    byId(`page-${page}`).querySelector("h1[tabindex]")?.focus();
    scrollTo(0, 0);
  }

  render() {
    if (!this.welcome.texts) return;
    ({ mic_test: () => this.drawTest(), main: () => this.drawMain(), form: () => this.form.show(this.screen, this.texts) })[this.view.page]?.();
    const how = { speech: "briefing_how", text: "briefing_type", both: "briefing_both" }[this.view.input ?? "speech"];
    put("briefing-how", fill(this.texts[how], { key: this.ways }));
    put("closing", this.shown.closing || this.texts.closing);
    // What a test of the page, or a style, can wait for.
    const { page, form } = this.view;
    const { readiness: microphone, heard } = this.screen;
    Object.assign(document.body.dataset, { page, microphone, heard, form: form?.name ?? "" });
  }

  drawTalk(id, state, words) {
    const button = byId(id);
    if (button.dataset.state === state && button.dataset.words === words) return;
    Object.assign(button.dataset, { state, words });
    const [before, after] = words.split(this.key);
    const key = made("strong", { textContent: this.key });
    // In one flow with its blanks: a row of boxes would lose them.
    const text = document.createElement("span");
    text.append(...(after === undefined ? [words] : [before, key, after]));
    button.replaceChildren(text);
  }

  drawTest() {
    const { texts, screen, key } = this;
    const isDenied = this.microphone.state === "denied";
    const isLost = this.microphone.state === "lost" || screen.readiness === "lost";
    const isThere = this.microphone.state === "ready";
    const problem = isDenied ? texts.page_denied : this.microphone.state === "none" ? texts.mic_none
      : isLost ? texts.no_microphone : screen.readiness === "unusable" ? texts.mic_unusable : "";
    // The study names another one than the browser gave.
    this.isOther = isThere && screen.readiness === "choose" && Boolean(screen.missing);
    const asks = this.microphone.state === "opening" ? texts.page_allow
      : this.isOther ? fill(texts.mic_missing, { name: screen.missing }) : fill(texts.mic_hint, { key: this.ways });
    put("mic-hint", problem || asks);
    byId("mic-hint").classList.toggle("bad", Boolean(problem));
    for (const id of ["mic-test", "mic-example"]) show(id, !problem && isThere && !this.isOther);
    show("mic-names", this.microphone.names.length > 1 || this.isOther);
    const isReady = isThere && screen.readiness === "ready";
    const state = this.held.state || (screen.heard === "listening" ? "listening"
      : !isReady || screen.heard === "saving" ? "one_moment" : "idle");
    const words = { idle: fill(texts.talk, { key }), listening: texts.mic_listening, one_moment: texts.mic_opening };
    this.drawTalk("mic-talk", state, words[state]);
    put("mic-result", screen.heard === "listening" ? "" : fill(texts[`mic_${screen.heard}`], { key }));
    byId("mic-result").className = { good: "good", silent: "bad", quiet: "warning", loud: "warning" }[screen.heard] ?? "";
    put("mic-go-on", this.isOther ? texts.mic_use : texts.mic_continue);
    show("mic-go-on", isThere);
    byId("mic-go-on").disabled = !this.isOther && !(isReady && TESTED.includes(screen.heard));
  }

  taskText() {
    if (this.shown.scenario_over) return this.texts.task_over;
    return this.shown.scenario?.text ?? this.texts.task_coming;
  }

  drawTask() {
    const { texts } = this;
    const { scenario, scenario_over: isOver } = this.shown;
    put("task", !scenario ? "" : scenario.practice ? texts.practice
      : fill(texts.task, { number: scenario.number, of: scenario.of }));
    for (const id of ["task-text", "task-line"]) put(id, this.taskText() ?? "");
    show("task-text", !this.isFolded);
    show("task-line", this.isFolded);
    put("task-fold", this.isFolded ? texts.task_sheet_show : texts.task_sheet_hide);
    show("task-fold", scenario && !isOver);
    byId("task-fold").setAttribute("aria-expanded", String(!this.isFolded));
    if (scenario && !isOver) this.afterPaint(() => this.report({ what: "scenario", seq: scenario.seq, turn: 0 }));
  }

  drawMain() {
    const { texts, view, shown } = this;
    const mayAsk = view.talking_allowed || view.typing_allowed;
    const state = this.held.state || (mayAsk ? view.state : "one_moment");
    const words = { idle: fill(texts.talk, { key: this.key }), listening: texts.listening, one_moment: texts.one_moment };
    this.drawTalk("talk", state, words[state]);
    document.body.dataset.state = state;
    byId("talk").disabled = !view.talking_allowed && !this.isHeld();
    byId("talk").classList.toggle("nothing", view.input === "text" && state === "idle");
    show("talk-side", state === "listening");
    show("idle-side", state !== "listening");
    const notice = this.isAway ? "apart" : view.notice;
    put("notice", fill(texts[notice], { key: this.key })
      || (this.screen.noted ? fill(texts.solution_noted, { name: this.screen.noted }) : ""));
    byId("notice").className = BAD.includes(notice) ? "bad" : notice ? "" : "good";
    const runs = shown.scenario && !shown.scenario_over;
    byId("have-answer").classList.toggle("nothing", !runs || !shown.scenario.asks_answer);
    show("question-row", view.input !== "speech" && !this.isTyping);
    for (const id of ["question", "question-send"]) byId(id).disabled = !view.typing_allowed;
    byId("question").placeholder = view.input === "text" ? texts.type_question : texts.type_or_talk;
    byId("question").setAttribute("aria-label", byId("question").placeholder);
    show("solution-row", this.isTyping);
    show("talk-row", !this.isTyping);
    this.drawTask();
    const isEarlier = Boolean(this.chosen);
    show("ask-now", !this.chosen && !shown.current && runs && state === "idle");
    this.exchange.show(this.chosen ?? shown.current, isEarlier, view.asked_since);
    const count = shown.earlier.length;
    put("earlier", fill(texts.earlier, { count }));
    show("earlier", count);
    show("start-over", count || shown.current);
    byId("earlier").setAttribute("aria-expanded", String(!byId("history").hidden));
  }

  toggleHistory(isOpen) {
    show("history", isOpen);
    if (!isOpen) return;
    const row = (one) => {
      const words = one.query || this.texts.not_heard;
      const button = made("button", { type: "button", textContent: words, dir: "auto" });
      button.addEventListener("click", () => this.choose(one));
      return button;
    };
    byId("history").replaceChildren(...this.shown.earlier.map(row));
  }

  choose(one) {
    this.chosen = one;
    if (!one) this.toggleHistory(false);
    this.render();
    byId("answer").focus();
  }

  wire() {
    const onClick = (id, then) => byId(id).addEventListener("click", then);
    const chooses = () => this.useMicrophone(byId("mic-names").value, byId("mic-names").selectedOptions[0].text);
    onClick("mic-go-on", () => (this.isOther ? chooses() : this.act("finish_mic_test")));
    byId("mic-names").addEventListener("change", chooses);
    onClick("briefing-start", () => this.act("finish_briefing"));
    onClick("task-fold", () => { this.isFolded = !this.isFolded; this.render(); });
    onClick("earlier", () => { this.toggleHistory(byId("history").hidden); this.render(); });
    onClick("back", () => this.choose(null));
    onClick("have-answer", () => this.typeSolution(true));
    onClick("solution-back", () => this.typeSolution(false));
    onClick("start-over", () => this.startOver());
    for (const button of document.querySelectorAll(".help")) button.addEventListener("click", () => this.callForHelp());
    byId("question").addEventListener("input", ({ target }) => {
      if (target.value && !this.began) this.act("begin_typing");
      this.began = Boolean(target.value);
    });
    const entered = (row, field, then) => byId(row).addEventListener("submit", (event) => {
      event.preventDefault();
      const value = byId(field).value.trim();
      byId(field).focus();
      if (value) { byId(field).value = ""; then(value); }
    });
    entered("question-row", "question", (value) => this.ask(value));
    entered("solution-row", "solution", (value) => {
      this.act("report_solution", { value });
      this.typeSolution(false);
    });
    addEventListener("keydown", (event) => this.onKeyDown(event));
  }

  onKeyDown(event) {
    if (event.key === "Escape" && this.isTyping) this.typeSolution(false);
    // Enter goes on, wherever the focus is but on another button.
    const goOn = byId({ mic_test: "mic-go-on", briefing: "briefing-start" }[this.view.page] ?? "");
    if (event.key !== "Enter" || event.repeat || !goOn || goOn.hidden || goOn.disabled) return;
    if (event.target instanceof HTMLButtonElement || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    goOn.click();
  }

  ask(value) {
    this.began = false;
    this.held = { state: "one_moment", n: this.act("ask", { value }) };
    this.render();
    this.reportMoment();
  }

  typeSolution(isTyping) {
    this.isTyping = isTyping;
    this.render();
    if (isTyping) byId("solution").focus();
    else this.focusField() || byId("have-answer").focus();
  }

  focusField() {
    if (!this.view.typing_allowed || this.isTyping) return false;
    // Drawn first: a field that is not there takes no focus.
    setTimeout(() => byId("question").focus());
    return true;
  }

  // The first press asks, the second is the wish.
  startOver() {
    if (this.sure) {
      this.askNoMore();
      this.act("start_over");
    } else {
      put("start-over", this.texts.start_over_sure);
      this.sure = setTimeout(() => this.askNoMore(), SURE_MS);
    }
  }

  askNoMore() {
    this.sure = clearTimeout(this.sure);
    put("start-over", this.texts.start_over);
  }

  // A call that nobody sees to have gone out is pressed again and again.
  callForHelp() {
    if (this.called) return;
    this.act("call_for_help");
    this.showHelp(true);
    this.called = setTimeout(() => this.showHelp(false), CALLED_MS);
  }

  showHelp(isCalled) {
    this.called = clearTimeout(this.called);
    const words = isCalled ? this.texts.help_called : this.texts.help;
    for (const button of document.querySelectorAll(".help")) button.textContent = words;
    if (isCalled) put("announce", words);
  }
}
