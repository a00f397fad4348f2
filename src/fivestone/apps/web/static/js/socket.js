// The connection to the server. Requests carry whole positions, so after a lost connection the unanswered ones are
// simply sent again.

export class Link {
  constructor(onState) {
    this.onState = onState;
    this.waiting = new Map();
    this.nextId = 1;
    this.delay = 250;
    this.open();
  }

  get connected() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket.onopen = () => {
      this.delay = 250;
      this.onState(true);
      for (const entry of this.waiting.values()) this.socket.send(entry.text);
    };
    this.socket.onclose = () => {
      this.onState(false);
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(this.delay * 1.7, 5000);
    };
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
  }

  receive(message) {
    const entry = this.waiting.get(message.id);
    if (!entry) return;
    if (message.partial) {
      if (entry.onPartial) entry.onPartial(message);
      return;
    }
    this.waiting.delete(message.id);
    if (message.error) entry.reject(new Error(message.error));
    else entry.resolve(message);
  }

  // Returns a promise with two more methods: stop() asks for what is known so far, drop() forgets the request.
  request(op, fields = {}, onPartial = null) {
    const id = this.nextId++;
    const text = JSON.stringify({ id, op, ...fields });
    const promise = new Promise((resolve, reject) => {
      this.waiting.set(id, { text, resolve, reject, onPartial });
    });
    if (this.connected) this.socket.send(text);
    promise.stop = () => {
      if (this.waiting.has(id) && this.connected) {
        this.socket.send(JSON.stringify({ id: this.nextId++, op: "stop", target: id }));
      }
    };
    promise.drop = () => {
      promise.stop();
      this.waiting.delete(id);
    };
    return promise;
  }
}
