// One hold out of what keyboard and pointer send, stamped by the events themselves.

const stamp = (event) => performance.timeOrigin + event.timeStamp;

export class TalkKey {
  // `began(by, ms)` and `ended(why, ms)` come in pairs; `cancelled()` is Esc while held. It listens while `listens()`.
  constructor({ listens, began, ended, cancelled }) {
    Object.assign(this, { listens, began, ended, cancelled });
    this.key = "space";
    this.held = "";
    addEventListener("keydown", (event) => this.onKeyDown(event), true);
    addEventListener("keyup", (event) => this.onKeyUp(event), true);
    // Firefox sends no `blur` for another tab, and Chromium none for a covered window of a telephone.
    document.addEventListener("visibilitychange", (event) => document.hidden && this.end("focus_lost", event));
    addEventListener("blur", (event) => event.target === window && this.end("focus_lost", event));
    addEventListener("pagehide", (event) => this.end("page_left", event));
    document.addEventListener("freeze", (event) => this.end("page_left", event));
  }

  watch(button) {
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.held || !this.listens()) return;
      // A finger that slides off still holds.
      button.setPointerCapture(event.pointerId);
      this.begin("button", event);
    });
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(kind, (event) => this.held === "button" && this.end("key", event));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  isKey(event) {
    return this.key === "space" ? event.code === "Space" : event.key.toLowerCase() === this.key;
  }

  onKeyDown(event) {
    if (event.key === "Escape" && this.held) {
      event.preventDefault();
      if (!event.repeat) this.cancelled();
      return;
    }
    if (!this.isKey(event) || (this.held !== "key" && (!this.listens() || wouldType(event)))) return;
    event.preventDefault();
    if (!event.repeat && !this.held) this.begin("key", event);
  }

  onKeyUp(event) {
    if (!this.isKey(event)) return;
    // Else a button that has the focus would be clicked by the space that talked.
    if (this.held === "key" || (this.listens() && !wouldType(event))) event.preventDefault();
    if (this.held === "key") this.end("key", event);
  }

  begin(by, event) {
    this.held = by;
    this.began(by, stamp(event));
  }

  end(why, event) {
    if (!this.held) return;
    this.held = "";
    this.ended(why, stamp(event));
  }
}

// A question does not begin with a blank, so there the key talks; a composed text may still need it.
function wouldType(event) {
  const field = event.target;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return false;
  return event.key.length === 1 && (field.id !== "question" || field.value !== "" || event.isComposing);
}
