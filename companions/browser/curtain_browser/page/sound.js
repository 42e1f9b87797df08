// The microphone of the page: opened once, said as `mic`, given as sound, and kept for a moment to be heard again.

import { now } from "./outbox.js";

const KEPT_MS = 20_000;
const OFF = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

export class Microphone {
  // `outbox.put` and `outbox.sound` take what happens; `changed()` is called when `state` or `names` did.
  constructor(outbox, changed, level) {
    this.outbox = outbox;
    this.changed = changed;
    this.level = level;
    this.state = "opening";
    this.names = [];
    this.ring = [];
    this.opening = null;
    // A closed socket of the browser's own, over plain HTTP from elsewhere, has no devices at all.
    navigator.mediaDevices?.addEventListener("devicechange", () => ["none", "lost"].includes(this.state) && this.open());
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.context?.resume(), true);
  }

  open(deviceId = "") {
    this.opening ??= this.tryToOpen(deviceId).finally(() => { this.opening = null; });
    return this.opening;
  }

  async tryToOpen(deviceId) {
    this.close();
    try {
      const wanted = deviceId ? { ...OFF, deviceId: { exact: deviceId } } : OFF;
      this.stream = await navigator.mediaDevices.getUserMedia({ audio: wanted });
      const [track] = this.stream.getAudioTracks();
      track.addEventListener("ended", () => this.say("lost", {}));
      const settings = track.getSettings();
      // At the device's rate, where the browser reports it: nothing is resampled.
      this.context = new AudioContext(settings.sampleRate ? { sampleRate: settings.sampleRate } : {});
      await this.context.audioWorklet.addModule("worklet.js");
      await this.listNames();
      this.name = track.label;
      // Before its first block.
      this.say("ready", {
        name: track.label.slice(0, 200), rate: this.context.sampleRate, names: this.names.map(([, name]) => name),
        echo_cancellation: settings.echoCancellation === undefined ? null : settings.echoCancellation !== false,
        noise_suppression: settings.noiseSuppression ?? null, auto_gain_control: settings.autoGainControl ?? null,
        latency_ms: settings.latency === undefined ? null : Math.min(1e4, Math.max(0, settings.latency * 1000)),
      });
      this.take();
    } catch (error) {
      this.close();
      this.say(!navigator.mediaDevices || error.name === "NotAllowedError" ? "denied" : "none", {});
    }
  }

  async listNames() {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const inputs = devices.filter((one) => one.kind === "audioinput" && one.label);
    this.names = inputs.slice(0, 32).map((one) => [one.deviceId, one.label.slice(0, 200)]);
  }

  take() {
    const taker = new AudioWorkletNode(this.context, "taker", { numberOfInputs: 1, numberOfOutputs: 1 });
    taker.port.onmessage = ({ data }) => {
      const ms = now();
      this.outbox.sound(ms, data.first, data.samples);
      this.ring.push({ ms, samples: data.samples });
      while (this.ring.length && this.ring[0].ms < ms - KEPT_MS) this.ring.shift();
      this.level(data.peak);
    };
    this.context.createMediaStreamSource(this.stream).connect(taker);
    // It says nothing; what leads nowhere need not be run by the engine.
    taker.connect(this.context.destination);
    this.context.resume();
  }

  // Plays what was said between two moments; whether it could be heard.
  async play(from, until) {
    const kept = this.ring.filter((one) => one.ms > from && one.ms < until + 300);
    const frames = kept.reduce((sum, one) => sum + one.samples.length, 0);
    if (!frames || this.context?.state !== "running") return false;
    const buffer = this.context.createBuffer(1, frames, this.context.sampleRate);
    let at = 0;
    for (const { samples } of kept) {
      buffer.copyToChannel(Float32Array.from(samples, (one) => one / 32768), 0, at);
      at += samples.length;
    }
    const player = new AudioBufferSourceNode(this.context, { buffer });
    player.connect(this.context.destination);
    const ended = new Promise((resolve) => player.addEventListener("ended", () => resolve(true)));
    this.hush = () => player.stop();
    player.start();
    return ended;
  }

  say(state, more) {
    this.state = state;
    this.outbox.mic({ state, agent: navigator.userAgent.slice(0, 200), ...more });
    this.changed();
  }

  close() {
    this.stream?.getTracks().forEach((track) => track.stop());
    this.context?.close();
    this.stream = this.context = undefined;
    this.ring = [];
  }
}
