// Sixteen-bit sound as the device gave it, in blocks, each with the number of its first frame.

const BLOCK = 1024;

// Engines make floats of 16 bits in two ways: all by 32768 (Firefox), or positive ones by 32767 (Chromium). They differ
// by one step from half scale on; the first loud samples say which way it is. What was resampled fits neither.
const near = (value) => Math.abs(value - Math.round(value)) < 0.01;

class Taker extends AudioWorkletProcessor {
  constructor() {
    super();
    this.scale = 32768;
    this.votes = 0;
    this.begin(0);
  }

  begin(frame) {
    this.first = frame;
    this.length = 0;
    this.peak = 0;
    this.samples = new Int16Array(BLOCK);
  }

  vote(value) {
    const [even, odd] = [near(value * 32768), near(value * 32767)];
    if (even === odd) return;
    this.votes += odd ? 1 : -1;
    this.scale = this.votes > 0 ? 32767 : 32768;
  }

  flush() {
    if (!this.length) return;
    const samples = this.samples.slice(0, this.length);
    this.port.postMessage({ first: this.first, samples, peak: this.peak }, [samples.buffer]);
  }

  process(inputs) {
    const input = inputs[0][0];
    // Without a channel nothing is connected yet.
    if (!input) return true;
    // A hole in the count of frames is no part of a block.
    if (currentFrame !== this.first + this.length) { this.flush(); this.begin(currentFrame); }
    for (const value of input) {
      if (value > 0.5 && value < 0.95 && Math.abs(this.votes) < 99) this.vote(value);
      const scaled = Math.round(value * (value > 0 ? this.scale : 32768));
      this.samples[this.length++] = Math.max(-32768, Math.min(32767, scaled));
      this.peak = Math.max(this.peak, Math.abs(value));
    }
    if (this.length >= BLOCK) { this.flush(); this.begin(currentFrame + input.length); }
    return true;
  }
}

registerProcessor("taker", Taker);
