// The page's connection and its life: enters with the link, talks to the gateway, and joins the parts.

import { Form } from "./form.js";
import { Outbox, life, now } from "./outbox.js";
import { Pages } from "./pages.js";
import { Microphone } from "./sound.js";
import { TalkKey } from "./talk_key.js";

const AWAY_MS = 4000;
const DEAD_MS = 6000;
const AGAIN_MS = 700;
const SEAT = "curtain-seat";

let socket = null;
let heardMs = now();
let triedMs = heardMs;
let refusals = 0;
let isOver = false;
let chain = Promise.resolve();
const outbox = new Outbox((frame) => socket?.readyState === WebSocket.OPEN && socket.send(frame));
const act = (what, more = {}) => outbox.put("act", { do: what, ...more });
const pages = new Pages({ act, painted: (more, ms) => outbox.put("painted", more, ms) });
pages.form = new Form(document.getElementById("form"), act);
const microphone = new Microphone(
  outbox,
  () => pages.showMicrophone(microphone),
  (peak) => pages.showLevel(peak),
);
const held = { from: 0, until: 0 };
const talkKey = new TalkKey({
  listens: () => pages.mayTalk,
  began: (by, ms) => {
    speechSynthesis?.cancel();
    microphone.hush?.();
    held.from = ms - 300;
    pages.hold("listening", outbox.put("down", { by }, ms));
  },
  ended: (why, ms) => {
    held.until = ms;
    pages.hold("one_moment", outbox.put("up", { why }, ms));
  },
  cancelled: () => act("cancel"),
});
for (const id of ["talk", "mic-talk"]) talkKey.watch(document.getElementById(id));
pages.useMicrophone = (id, name) => {
  act("choose_microphone", { value: name });
  microphone.open(id);
};
document.getElementById("cancel").addEventListener("click", () => act("cancel"));
pages.isHeld = () => Boolean(talkKey.held);
// What was said before the page was asked to play it.
pages.playTest = async () => act("played", { value: (await microphone.play(held.from, held.until)) ? "" : "silent" });
addEventListener("beforeunload", (event) => { if (!isOver && outbox.waiting.size > 200) event.preventDefault(); });

async function onMessage(message) {
  switch (message.t) {
    case "welcome":
      await outbox.welcomed(message.box, message.have);
      if (!outbox.mics.length) outbox.mic({ state: "opening" });
      talkKey.key = message.talk_key.toLowerCase();
      pages.welcomed(message);
      if (message.seated && message.speaks && !microphone.stream) microphone.open();
      break;
    case "view":
      pages.showView(message);
      // Nobody listens any more, and the end waits for all that the microphone gives.
      if (message.view.page === "closing") microphone.close();
      break;
    case "shown": pages.showShown(message); break;
    case "ack":
      outbox.forget(message.n);
      pages.announce("kept", pages.view.page === "closing" && outbox.waiting.size > 100 ? "page_kept" : "");
      break;
    case "bye": await onBye(message.why); break;
  }
}

async function onBye(why) {
  isOver = true;
  microphone.close();
  if (why !== "over") { pages.announce("gone", `page_${why}`); return; }
  localStorage.removeItem(SEAT);
  pages.announce("kept", (await outbox.drop()) ? "page_deleted" : "");
}

function connect() {
  let wasOpen = false;
  triedMs = now();
  const line = new WebSocket(`${location.origin.replace("http", "ws")}/page/${localStorage.getItem(SEAT)}`);
  socket = line;
  line.binaryType = "arraybuffer";
  line.onmessage = ({ data }) => {
    // What an earlier line still says counts for nothing.
    if (line !== socket) return;
    const message = JSON.parse(data);
    wasOpen = true;
    heardMs = now();
    // At once, whatever else waits: it asks for the clock.
    if (message.t === "ask") {
      const reading = { t: "clock", life, ask: message.ask, ms: heardMs, hidden: document.hidden, last: outbox.last };
      line.send(JSON.stringify(reading));
      return;
    }
    pages.isAway = false;
    chain = chain.then(() => onMessage(message)).catch(reportError);
  };
  line.onclose = async () => {
    if (line !== socket || isOver) return;
    outbox.isLive = false;
    // Who serves the page and refuses the line does not know us.
    const asked = { cache: "no-store", signal: AbortSignal.timeout(DEAD_MS) };
    const isRefused = !wasOpen && (await fetch("/", asked).then((answer) => answer.ok, () => false));
    refusals = isRefused ? refusals + 1 : 0;
    if (refusals > 2) onBye("dead");
    else setTimeout(() => line === socket && connect(), AGAIN_MS);
  };
}

// A line may be dead and say nothing; the gateway asks twice a second, so silence shows it.
setInterval(() => {
  if (isOver || !socket) return;
  const ms = now();
  if (!pages.isAway && ms - heardMs > AWAY_MS) {
    pages.isAway = true;
    pages.render();
  }
  if (ms - Math.max(heardMs, triedMs) < DEAD_MS) return;
  outbox.isLive = false;
  socket.close();
  connect();
}, AGAIN_MS);

async function enter() {
  const secret = location.hash.slice(1);
  const answer = secret && (await fetch("/enter", { method: "POST", body: secret }).catch(() => null));
  if (answer === null) { setTimeout(enter, AGAIN_MS); return; }
  if (answer.ok) localStorage.setItem(SEAT, await answer.text());
  // A link that was used here before: the cookie may still count.
  if (answer.status === 403) refusals = 2;
  // Nobody finds it in the address bar and the history.
  history.replaceState(null, "", "/");
  connect();
}

enter();
