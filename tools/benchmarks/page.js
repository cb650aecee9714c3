// Watches one output of a notebook: which pictures it shows, and when.
(() => {
  const sides = {};

  // the time when the next frame has been drawn, or null if it does not hold these images
  const painted = images =>
    new Promise(done =>
      requestAnimationFrame(() => {
        const held = images.every(image => image.isConnected);
        setTimeout(() => done(held ? performance.now() : null));
      }),
    );

  const watch = (name, node, handle) => {
    const side = (sides[name] = {node, handle, pictures: [], source: '', pressed: 0});
    const look = async () => {
      const images = [...side.node.querySelectorAll('img[src^="data:image/png"]')];
      const source = images.map(image => image.src).join();
      if (!source || source === side.source) return;
      side.source = source;
      const arrived = performance.now();
      try {
        await Promise.all(images.map(image => image.decode()));
      } catch {
        return; // the next picture came before this one was ready
      }
      const time = await painted(images);
      if (time !== null) side.pictures.push({arrived, time});
    };
    new MutationObserver(look).observe(node, {
      childList: true,
      subtree: true,
      attributeFilter: ['src'],
    });
    handle.addEventListener('keydown', event => (side.pressed = event.timeStamp), true);
    look();
  };

  // Presses a key every `gap` ms; `keys` are arrow keys. Returns the time of the last press.
  const burst = async (name, keys, gap) => {
    const {handle} = sides[name];
    for (const key of keys) {
      handle.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
      await new Promise(done => setTimeout(done, gap));
    }
    return sides[name].pressed;
  };

  window.course = {sides, watch, burst};
})();
