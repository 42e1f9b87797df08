// A questionnaire: each answer is sent at once; going on with answers missing says how many, and leads to them.

import { byId, made } from "./exchange.js";
import { fill } from "./words.js";

const PAUSE_MS = 800;
const MOST_BUTTONS = 11;

export class Form {
  constructor(element, act) {
    Object.assign(this, { element, act, shown: "", fields: new Map() });
    element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.goOn();
    });
    byId("form-back").addEventListener("click", () => act("go_back_to_form"));
  }

  // The same form again changes nothing: what is being typed stays.
  show({ view: { form, form_place: [number, of], may_go_back: mayGoBack }, answers }, texts) {
    this.texts = texts;
    byId("form-place").textContent = of > 1 ? fill(texts.form_place, { number, of }) : "";
    byId("form-back").hidden = !mayGoBack;
    if (form.name === this.shown) return;
    Object.assign(this, { form, shown: form.name, values: { ...answers }, reminded: false });
    byId("form-title").textContent = form.title;
    byId("form-notice").textContent = "";
    this.fields.clear();
    byId("form-items").replaceChildren(...form.items.map((item) => this.question(item)));
    (this.element.querySelector("input") ?? this.element.querySelector("button")).focus();
  }

  question(item) {
    const words = made("legend", { textContent: item.text, dir: "auto" });
    if (item.kind === "text") return made("p", { textContent: item.text, className: "text", dir: "auto" });
    const box = made("fieldset");
    const missing = made("p", { className: "warning missing", textContent: this.texts.form_unanswered });
    box.append(words, missing, item.kind === "free" ? this.freeText(item) : this.places(item));
    this.fields.set(item.id, box);
    return box;
  }

  freeText(item) {
    const field = made("input", { maxLength: 2000, value: this.values[item.id] ?? "", dir: "auto", autocomplete: "off" });
    field.setAttribute("aria-label", item.text);
    let pause = 0;
    const take = () => {
      clearTimeout(pause);
      this.take(item.id, field.value.trim());
    };
    field.addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(take, PAUSE_MS);
    });
    field.addEventListener("change", take);
    return field;
  }

  places(item) {
    const row = made("div", { className: item.kind === "scale" ? "scale" : "choices" });
    const end = (words) => (words ? [made("span", { textContent: words, className: "quiet", dir: "auto" })] : []);
    if (item.values.length > MOST_BUTTONS) return this.longScale(item, row, end);
    const places = item.values.map((value, place) => {
      const words = item.labels[place] ?? value;
      const radio = made("input", { type: "radio", name: item.id, value, checked: this.values[item.id] === value });
      radio.addEventListener("change", () => this.take(item.id, value));
      const label = made("label");
      label.append(radio, made("span", { textContent: words, dir: "auto" }));
      return label;
    });
    row.append(...end(item.low), ...places, ...end(item.high));
    return row;
  }

  longScale(item, row, end) {
    const value = this.values[item.id];
    const place = Math.max(0, item.values.indexOf(value));
    const bar = made("input", { type: "range", min: 0, max: item.values.length - 1, value: place });
    const shown = made("output", { textContent: value ?? "–" });
    bar.setAttribute("aria-label", [item.text, item.low, item.high].join(" "));
    bar.addEventListener("input", () => { shown.textContent = item.values[bar.value]; });
    // Where nothing moved, a click on the middle is an answer too.
    for (const kind of ["change", "click"]) {
      bar.addEventListener(kind, () => {
        shown.textContent = item.values[bar.value];
        this.take(item.id, item.values[bar.value]);
      });
    }
    row.append(...end(item.low), bar, ...end(item.high), shown);
    return row;
  }

  take(item, value) {
    if ((this.values[item] ?? "") === value) return;
    this.values[item] = value;
    this.act("answer_item", { form: this.form.name, item, value });
    if (byId("form-notice").textContent) this.mark();
  }

  mark() {
    const questions = this.form.items.filter((one) => ["scale", "choice"].includes(one.kind) || one.required);
    const missing = questions.filter((one) => !this.values[one.id]);
    const required = missing.filter((one) => one.required);
    const shown = required.length ? required : missing;
    for (const [id, box] of this.fields) box.classList.toggle("left-out", shown.some((one) => one.id === id));
    const words = required.length ? this.texts.form_required : this.texts.form_missing;
    byId("form-notice").textContent = shown.length ? fill(words, { count: shown.length, of: questions.length }) : "";
    return shown;
  }

  goOn() {
    // What is typed just now.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.dispatchEvent(new Event("change"));
    const missing = this.mark();
    if (!missing.length || (this.reminded && !missing[0].required)) {
      byId("form-notice").textContent = "";
      this.act("finish_form", { form: this.form.name });
      return;
    }
    this.reminded = !missing[0].required;
    this.fields.get(missing[0].id).querySelector("input").focus();
  }
}
