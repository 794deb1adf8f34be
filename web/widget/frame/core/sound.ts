import { signal } from '@preact/signals'
import { tell } from './bridge.ts'

/** Two soft generated notes, so that no file has to be loaded. */

export const isMuted = signal(false)

let context: AudioContext | null = null

function note(at: number, pitch: number): void {
  const tone = context!.createOscillator()
  const volume = context!.createGain()
  tone.frequency.value = pitch
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(0.12, at + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.35)
  tone.connect(volume).connect(context!.destination)
  tone.start(at)
  tone.stop(at + 0.4)
}

/** Browsers allow sound only after the visitor has used the chat. */
export async function playSound(): Promise<void> {
  if (isMuted.peek() || !navigator.userActivation?.hasBeenActive) return
  try {
    context ??= new AudioContext()
    await context.resume()
    note(context.currentTime, 660)
    note(context.currentTime + 0.11, 880)
  } catch {
    // Failing to play a sound is not a reason to stop.
  }
}

export function mute(isOff: boolean): void {
  isMuted.value = isOff
  tell({ type: 'choices', choices: { is_muted: isOff } })
}
