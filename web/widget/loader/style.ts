/**
 * All styles of the launcher and of the panel around the frame. Important rules in a shadow tree win over
 * important rules of the page, so `* { display: none !important }` outside has no effect in here.
 */
export const style = `
:host {
  all: initial !important;
  display: block !important;
  position: fixed !important;
  inset: auto !important;
  top: 0 !important;
  left: 0 !important;
  width: 0 !important;
  height: 0 !important;
  z-index: 2147483000 !important;
  visibility: visible !important;
  opacity: 1 !important;
  contain: none !important;
  pointer-events: auto !important;
  font: 500 15px/1.3 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif !important;
}
* { box-sizing: border-box }
[hidden] { display: none !important }
.button {
  position: fixed;
  bottom: calc(20px + env(safe-area-inset-bottom, 0px));
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 10px;
  min-width: 56px;
  height: 56px;
  margin: 0;
  padding: 0 14px;
  border: 0;
  border-radius: 28px;
  background: var(--color, #2f5bea);
  color: var(--ink, #fff);
  font: inherit;
  cursor: pointer;
  box-shadow: 0 1px 3px rgb(0 0 0 / .2), 0 6px 20px rgb(0 0 0 / .18);
  transition: transform .16s ease, box-shadow .16s ease;
  -webkit-tap-highlight-color: transparent;
}
[data-side=right] .button { right: calc(20px + env(safe-area-inset-right, 0px)) }
[data-side=left] .button { left: calc(20px + env(safe-area-inset-left, 0px)) }
.button:hover { transform: scale(1.05); box-shadow: 0 1px 3px rgb(0 0 0 / .2), 0 8px 26px rgb(0 0 0 / .26) }
.button:active { transform: scale(.97) }
.button:focus-visible { outline: 3px solid var(--color, #2f5bea); outline-offset: 3px }
.button svg { display: block; width: 28px; height: 28px; flex: none }
.words { padding-inline-end: 6px; max-width: 200px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.badge {
  position: absolute;
  inset-block-start: -4px;
  inset-inline-end: -4px;
  min-width: 22px;
  height: 22px;
  padding: 0 6px;
  border: 2px solid #fff;
  border-radius: 11px;
  background: #c81e1e;
  color: #fff;
  font-size: 12px;
  font-weight: 700;
  line-height: 18px;
  text-align: center;
}
.bubble {
  position: fixed;
  bottom: calc(88px + env(safe-area-inset-bottom, 0px));
  display: flex;
  align-items: flex-start;
  width: max-content;
  max-width: min(320px, calc(100vw - 40px));
  border-radius: 14px;
  background: var(--paper, #fff);
  color: var(--text, #1b1f27);
  box-shadow: 0 0 0 1px rgb(0 0 0 / .06), 0 8px 30px rgb(0 0 0 / .2);
  animation: come .2s cubic-bezier(.2, .9, .3, 1);
}
.bubble:empty { box-shadow: none; animation: none }
[data-side=right] .bubble { right: calc(20px + env(safe-area-inset-right, 0px)) }
[data-side=left] .bubble { left: calc(20px + env(safe-area-inset-left, 0px)) }
.bubble button { border: 0; background: none; color: inherit; font: inherit; cursor: pointer }
.bubble button:focus-visible { outline: 3px solid var(--color, #2f5bea); outline-offset: -3px; border-radius: 14px }
.tell { display: flex; gap: 10px; min-width: 0; padding: 14px; padding-inline-end: 4px; text-align: start }
.tell strong, .said { display: block; overflow-wrap: anywhere }
.said { margin-top: 2px; font-weight: 400; white-space: pre-line }
.face { flex: none; width: 32px; height: 32px; border-radius: 50%; background: var(--color, #2f5bea); color: var(--ink, #fff); line-height: 32px; text-align: center; object-fit: cover }
.dismiss { flex: none; width: 36px; height: 36px; padding: 0; font-size: 20px; line-height: 36px }
.panel {
  position: fixed;
  bottom: calc(88px + env(safe-area-inset-bottom, 0px));
  width: 400px;
  height: min(704px, calc(100vh - 108px));
  height: min(704px, calc(100dvh - 108px));
  min-height: min(320px, 100vh);
  border-radius: 16px;
  background: var(--paper, #fff);
  overflow: hidden;
  box-shadow: 0 0 0 1px rgb(0 0 0 / .06), 0 12px 48px rgb(0 0 0 / .22);
  transform-origin: bottom right;
}
[data-side=right] > .panel { right: calc(20px + env(safe-area-inset-right, 0px)) }
[data-side=left] > .panel { left: calc(20px + env(safe-area-inset-left, 0px)); transform-origin: bottom left }
/* Keeps its layout: Chromium may send no keys and clicks to a frame that was loaded without a layout. */
.panel.is-away { visibility: hidden; pointer-events: none }
.panel.is-coming { animation: come .2s cubic-bezier(.2, .9, .3, 1) }
@keyframes come { from { opacity: 0; transform: translateY(12px) scale(.97) } }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: normal; background: transparent }
.wait { position: absolute; inset: calc(50% - 14px); width: 28px; height: 28px; border: 3px solid var(--color, #2f5bea); border-inline-start-color: transparent; border-radius: 50%; animation: turn 1s linear infinite }
@keyframes turn { to { transform: rotate(1turn) } }
.failure { position: absolute; inset: 0; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 16px; padding: 24px; color: var(--text, #1b1f27); text-align: center }
.failure button { padding: 10px 18px; border: 0; border-radius: 10px; background: var(--color, #2f5bea); color: var(--ink, #fff); font: inherit; cursor: pointer }
.failure button:focus-visible { outline: 3px solid var(--text, #1b1f27); outline-offset: 2px }
@media (max-width: 480px), (max-height: 420px) and (pointer: coarse) {
  .panel { top: var(--top, 0); bottom: auto; left: 0 !important; right: 0 !important; width: 100%; height: var(--height, 100dvh); border-radius: 0; box-shadow: none }
  .is-open .button { display: none }
}
@media (prefers-color-scheme: dark) {
  .theme-auto { --paper: #171a21; --text: #eceef3 }
  .theme-auto .badge { border-color: #14171f }
}
.theme-dark { --paper: #171a21; --text: #eceef3 }
@media (prefers-reduced-motion: reduce) {
  .button, .button:hover, .button:active { transition: none; transform: none }
  .panel.is-coming, .bubble { animation: none }
  .wait { animation-duration: 4s }
}
@media (forced-colors: active) { .button, .panel, .bubble { border: 2px solid } }
@media print { :host { display: none !important } }
`
