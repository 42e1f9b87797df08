// The page's connection and its life: enters with the link, talks to the gateway, and joins the parts.

import { Form } from "./form.js";
import { Outbox, life, now } from "./outbox.js";
import { Pages } from "./pages.js";
import { Microphone } from "./sound.js";
import { TalkKey } from "./talk_key.js";

const AWAY_MS = 4000;
const AGAIN_MS = 700;

let socket = null;
let away = 0;
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
      pages.showKept(pages.view.page === "closing" && outbox.waiting.size > 100 ? "page_kept" : "");
      break;
    case "bye": await onBye(message.why); break;
  }
}

async function onBye(why) {
  isOver = true;
  microphone.close();
  if (why === "over") pages.showKept((await outbox.drop()) ? "page_deleted" : "");
  else pages.showGone("page_elsewhere");
}

function connect() {
  let wasOpen = false;
  socket = new WebSocket(`${location.origin.replace("http", "ws")}/page`);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    wasOpen = true;
    // At once, whatever else waits: it asks for the clock.
    if (message.t === "ask") {
      const reading = { t: "clock", life, ask: message.ask, ms: now(), hidden: document.hidden, last: outbox.last };
      socket.send(JSON.stringify(reading));
      return;
    }
    away = clearTimeout(away);
    pages.isAway = false;
    chain = chain.then(() => onMessage(message)).catch(reportError);
  };
  socket.onclose = async () => {
    outbox.isLive = false;
    if (isOver) return;
    away ||= setTimeout(() => { pages.isAway = true; pages.render(); }, AWAY_MS);
    // Who serves the page and refuses the line does not know us.
    if (!wasOpen && (await fetch("/", { cache: "no-store" }).then((answer) => answer.ok, () => false))) {
      refusals += 1;
      if (refusals > 2) { pages.showGone("page_dead"); return; }
    }
    setTimeout(connect, AGAIN_MS);
  };
}

let refusals = 0;

async function enter() {
  const secret = location.hash.slice(1);
  if (secret) {
    // Out of the address bar and the history, before anybody can copy it.
    history.replaceState(null, "", "/");
    const answer = await fetch("/enter", { method: "POST", body: secret }).catch(() => null);
    // A link that was used here before: the cookie may still count.
    if (answer?.status === 403) refusals = 2;
  }
  connect();
}

enter();
