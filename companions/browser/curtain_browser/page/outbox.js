// What happened on this page, in one numbered order, kept in the browser until the gateway has it on its disk.

export const now = () => performance.timeOrigin + performance.now();

export const life = Array.from(crypto.getRandomValues(new Uint8Array(16)), (one) =>
  one.toString(16).padStart(2, "0")).join("");

const PREFIX = "curtain-";
const HEAD = 24;

const asked = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function soundFrame(n, ms, first, samples) {
  const frame = new ArrayBuffer(HEAD + samples.byteLength);
  const head = new DataView(frame);
  head.setBigUint64(0, BigInt(n), true);
  head.setFloat64(8, ms, true);
  head.setBigInt64(16, BigInt(first), true);
  // Every machine that runs a browser is little-endian.
  new Int16Array(frame, HEAD).set(samples);
  return frame;
}

// Of other seats: their links are dead, and nobody can send it any more.
async function deleteOthers(box) {
  for (const { name } of await indexedDB.databases()) {
    if (name.startsWith(PREFIX) && name !== PREFIX + box) indexedDB.deleteDatabase(name);
  }
}

export class Outbox {
  // `send(frame)` is given a frame once it is stored, and again after each welcome.
  constructor(send) {
    this.send = send;
    this.box = "";
    this.waiting = new Map();
    this.mics = [];
    this.last = this.stored = 0;
    // Not before what came earlier was sent on the same connection.
    this.isLive = false;
  }

  // After a welcome: take up what this store holds, and send again all that the gateway lacks, in its order.
  async welcomed(box, have) {
    if (box !== this.box) await this.open(box, have);
    this.forget(have);
    // A gateway that was killed knows no number and no microphone: it hears of both before what waits. Else it passes
    // this over, since it has had that number.
    const [first = this.last + 1] = this.waiting.keys();
    const mic = this.mics.findLast((one) => one.n < first);
    if (mic) this.send(JSON.stringify({ ...mic.event, n: first - 1 }));
    for (const [n, frame] of this.waiting) if (n <= this.stored) this.send(frame);
    this.isLive = true;
  }

  async open(box, have) {
    this.waiting.clear();
    this.mics = [];
    try {
      this.store?.close();
      const request = indexedDB.open(PREFIX + box, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("events");
      this.store = await asked(request);
      const held = this.store.transaction("events").objectStore("events");
      const [numbers, frames] = await Promise.all([asked(held.getAllKeys()), asked(held.getAll())]);
      numbers.forEach((n, place) => this.waiting.set(n, frames[place]));
      deleteOthers(box).catch(() => {});
    } catch {
      // A private window, or no room: what waits is kept as long as the page lives.
      this.store = null;
    }
    // Not from 1 after a reload: the gateway would take the new for the old.
    this.last = this.stored = Math.max(have, ...this.waiting.keys());
    this.box = box;
  }

  put(t, more = {}, ms = now()) {
    return this.keep((n) => JSON.stringify({ t, n, ms, ...more }));
  }

  mic(more) {
    const event = { t: "mic", ms: now(), life, ...more };
    this.mics.push({ n: this.keep((n) => JSON.stringify({ ...event, n })), event });
  }

  sound(ms, first, samples) {
    return this.keep((n) => soundFrame(n, ms, first, samples));
  }

  keep(frameOf) {
    if (!this.box) return 0;
    const n = ++this.last;
    const frame = frameOf(n);
    this.waiting.set(n, frame);
    // Sent when it is safe here: a number that is lost with the page must not have reached the gateway.
    const then = () => {
      this.stored = n;
      if (this.isLive) this.send(frame);
    };
    try {
      const writing = this.store.transaction("events", "readwrite", { durability: "relaxed" });
      writing.objectStore("events").put(frame, n);
      writing.oncomplete = then;
      writing.onabort = then;
    } catch {
      then();
    }
    return n;
  }

  forget(through) {
    let some = false;
    for (const n of this.waiting.keys()) {
      if (n > through) break;
      some = this.waiting.delete(n);
    }
    if (!some || !this.store) return;
    const writing = this.store.transaction("events", "readwrite", { durability: "relaxed" });
    writing.objectStore("events").delete(IDBKeyRange.upperBound(through));
  }

  // The session is over and all of it is safe elsewhere; whether nothing is left here.
  async drop() {
    this.store?.close();
    const gone = await asked(indexedDB.deleteDatabase(PREFIX + this.box)).then(() => true, () => !this.store);
    this.box = "";
    this.waiting.clear();
    return gone;
  }
}
