// One question and its answer, large. A table scrolls by keyboard; headings stand, numbers to the end of their column.

import { fill } from "./words.js";

const LONG_QUERY = 140;
const SPOKEN_ROWS = 5;
export const byId = (id) => document.getElementById(id);
export const made = (tag, more = {}) => Object.assign(document.createElement(tag), more);

export class Exchange {
  // `drawn(parts)` is called with what is new on the screen: its kind, number and turn.
  constructor(drawn) {
    Object.assign(this, { drawn, exchange: null, before: "" });
  }

  show(exchange, isEarlier, askedSince) {
    const { texts } = this;
    const another = isEarlier || askedSince;
    const asked = exchange?.typed ? texts.you_typed : texts.you_said;
    byId("caption").textContent = another ? texts.earlier_one : exchange?.query ? asked : "";
    byId("back").hidden = !isEarlier;
    const now = exchange ? [exchange.turn, exchange.query_seq, exchange.answer_seq, exchange.query].join(" ") : "";
    // The same table again is not made anew: the place to which it was scrolled stays.
    if (now === this.before) return;
    [this.before, this.exchange] = [now, exchange];
    byId("query").textContent = exchange?.query ?? "";
    byId("query").classList.toggle("long", (exchange?.query.length ?? 0) > LONG_QUERY);
    byId("replaced").hidden = !exchange?.replaced;
    byId("answer").replaceChildren(...this.answer(exchange));
    byId("answer").scrollTop = 0;
    // Where the page scrolls as a whole, what is new comes into sight.
    if (exchange) byId("exchange").scrollIntoView();
    if (exchange) this.drawn([...parts(exchange)]);
  }

  answer(exchange) {
    if (exchange?.message) {
      return [made("p", { textContent: exchange.message, className: "message text", dir: "auto" })];
    }
    if (!exchange?.table) return [];
    const { headings, rows, numeric, total } = exchange.table;
    if (!rows.length) return [made("p", { textContent: this.texts.empty, className: "message" })];
    const table = document.createElement("table");
    const cells = (kind, words) => words.map((text, column) => {
      const cell = made(kind, { textContent: text, className: numeric[column] ? "number" : "" });
      cell.dir = "auto";
      if (kind === "th") cell.scope = "col";
      return cell;
    });
    table.createTHead().insertRow().append(...cells("th", headings));
    const body = table.createTBody();
    for (const row of rows) body.insertRow().append(...cells("td", row));
    const note = total > rows.length ? this.texts.first_of : total > 1 ? this.texts.row_count : "";
    return [table, made("p", { textContent: fill(note, { shown: rows.length, total }), className: "quiet note" })];
  }

  spoken() {
    const { message, table } = this.exchange ?? {};
    if (!table) return message ?? "";
    if (!table.rows.length) return this.texts.empty;
    return table.rows.slice(0, SPOKEN_ROWS).map((row) => row.join(", ")).join(". ");
  }
}

function* parts({ turn, query_seq: query, answer_seq: answer, table }) {
  if (query) yield { what: "query", seq: query, turn };
  if (answer) yield { what: table ? "answer" : "message", seq: answer, turn };
}
