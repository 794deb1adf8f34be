/** Two short generated notes, so that no file has to be loaded. */
const notes = [660, 880]
const length = 0.14

let context: AudioContext | null = null

/** Browsers allow sound only after the person has used the page; before, this is silent. */
export function playSound(): void {
  context ??= new AudioContext()
  const { currentTime, destination } = context
  for (const [at, frequency] of notes.entries()) {
    const [tone, volume] = [context.createOscillator(), context.createGain()]
    const start = currentTime + at * length
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.12, start)
    volume.gain.exponentialRampToValueAtTime(0.001, start + length)
    tone.connect(volume).connect(destination)
    tone.start(start)
    tone.stop(start + length)
  }
}
