import { XMarkIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button, Progress as ProgressBar } from '@mantine/core'
import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useAction } from './actions.ts'
import { Keys } from './key-caps.tsx'
import { isTyping } from './keys.ts'
import { showNotice } from './notice.ts'
import { usePreferences } from './preferences.ts'
import { text } from './text.ts'
import classes from './toast.module.css'
import {
  addToastPlace,
  closeToast,
  findUndoable,
  type Progress,
  type ShownToast,
  type ToastPlace,
  undoToast,
  useProgress,
  useToast,
} from './toasts.ts'

function undoLast(): void {
  const toast = findUndoable()
  if (toast) undoToast(toast)
  else showNotice(text.undo.nothing)
}

/** A part of the page in which toasts appear, and the key that undoes the newest action. It takes up no space while there are none. */
export default function ToastArea({ place }: { place: ToastPlace }) {
  const area = useRef<HTMLDivElement>(null)
  useAction({ id: 'undo', name: text.undo.last, group: text.actions.group, keys: 'z', run: undoLast })
  useLayoutEffect(() => addToastPlace(place), [place])
  useSpaceBelow(area, place)
  const toast = useToast(place)
  const progress = useProgress(place)
  return (
    <div ref={area} className={classes.area} data-place={place}>
      {progress && <Running progress={progress} />}
      {/* Always rendered, because screen readers announce only what is added to an existing status region. */}
      <div role="status">{toast && !progress && <OneToast key={toast.id} toast={toast} />}</div>
    </div>
  )
}

/** Tells other messages at the bottom of the page how much space the editor takes up there. */
function useSpaceBelow(area: RefObject<HTMLElement | null>, place: ToastPlace): void {
  useLayoutEffect(() => {
    const conversation = area.current?.previousElementSibling
    if (place !== 'ticket' || !conversation) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() =>
      style.setProperty('--below', `${innerHeight - conversation.getBoundingClientRect().bottom}px`),
    )
    observer.observe(conversation)
    return () => {
      observer.disconnect()
      style.removeProperty('--below')
    }
  }, [area, place])
}

function OneToast({ toast }: { toast: ShownToast }) {
  const { id, message, more } = toast
  return (
    <div className={classes.toast}>
      <span className={classes.message} dir="auto">
        {message}
      </span>
      {more && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            closeToast(id)
            more.run()
          }}
        >
          {more.label}
        </Button>
      )}
      {toast.undo && <UndoButton toast={toast} />}
      <ActionIcon aria-label={text.undo.dismiss} onClick={() => closeToast(id)}>
        <XMarkIcon width={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}

/** Whether the key undoes something now. While somebody writes, it is a letter. */
function useIsKeyActive(): boolean {
  const { singleKeys } = usePreferences()
  const watch = useCallback((note: () => void) => {
    document.addEventListener('focusin', note)
    document.addEventListener('focusout', note)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('focusout', note)
    }
  }, [])
  const isWriting = useSyncExternalStore(watch, () => isTyping(document.activeElement))
  return singleKeys && !isWriting
}

function UndoButton({ toast }: { toast: ShownToast }) {
  const isKeyActive = useIsKeyActive()
  return (
    <Button
      size="compact-sm"
      variant="light"
      aria-keyshortcuts={isKeyActive ? 'Z' : undefined}
      onClick={() => undoToast(toast)}
      rightSection={
        <span aria-hidden className={classes.hint}>
          {isKeyActive && <Keys keys="z" />}
          <SecondsLeft until={toast.until} />
        </span>
      }
    >
      {text.undo.undo}
    </Button>
  )
}

function SecondsLeft({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className={classes.seconds}>
      {text.undo.seconds(Math.max(0, Math.ceil((until - now) / 1_000)))}
    </span>
  )
}

function Running({ progress: { message, done, total, cancel } }: { progress: Progress }) {
  return (
    <section className={classes.toast} aria-label={message}>
      <div className={classes.message}>
        <span>{message}</span>
        <ProgressBar
          mt={4}
          value={total ? (100 * done) / total : 0}
          aria-label={message}
          className={classes.progress}
        />
      </div>
      <Button size="compact-sm" variant="default" onClick={cancel}>
        {text.shell.cancel}
      </Button>
    </section>
  )
}
