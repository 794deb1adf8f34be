import { ChatBubbleOvalLeftEllipsisIcon } from '@heroicons/react/20/solid'
import { SegmentedControl, Title, useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { parseColor, printColor, textColorOn } from '../../../src/core/text/color.ts'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import type { Settings } from '../projects/settings.ts'
import { ProactivePreview } from './proactive-preview.tsx'
import { makeSample, type PreviewView } from './sample.ts'
import type { WidgetValues } from './values.ts'
import classes from './widget.module.css'

interface Props {
  values: WidgetValues
  locale: string
  project: Settings
}

/** The frame reports when it is ready, and then receives every change. Both are pages of this server. */
function useFrame(sample: ReturnType<typeof makeSample>) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const hear = ({ origin, source, data }: MessageEvent) => {
      if (origin === location.origin && source === frame.current?.contentWindow)
        setReady(data === 'deskbell:preview')
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [])
  useEffect(() => {
    if (isReady) frame.current?.contentWindow?.postMessage(sample, location.origin)
  }, [isReady, sample])
  return frame
}

export function WidgetPreview({ values, locale, project }: Props) {
  const { id } = useProject()
  const theme = useComputedColorScheme('light')
  const [view, setView] = useState<PreviewView>('home')
  const sample = makeSample({ values, locale, project, view }, theme)
  const frame = useFrame(sample)
  return (
    <section className={classes.preview} aria-label={pageText.widget.preview}>
      <Title order={2}>{pageText.widget.preview}</Title>
      <SegmentedControl
        fullWidth
        size="xs"
        my="xs"
        aria-label={pageText.widget.view}
        value={view}
        onChange={next => setView(next as PreviewView)}
        data={Object.entries(pageText.widget.views).map(([value, label]) => ({ value, label }))}
      />
      {view === 'proactive' && (
        <ProactivePreview
          rules={values.proactive_messages}
          locale={locale}
          project={project}
          color={sample.config.color}
          side={values.position}
        />
      )}
      {/* The frame stays loaded while it is hidden. */}
      <iframe
        ref={frame}
        className={classes.frame}
        hidden={view === 'proactive'}
        title={pageText.widget.preview}
        src={`/widget/frame/${id}#preview`}
        tabIndex={-1}
      />
      <Launcher
        color={sample.config.color}
        side={values.position}
        words={values.texts[locale]?.launcher ?? ''}
      />
    </section>
  )
}

/** Drawn like the launcher of web/widget/loader. */
function Launcher({ color, side, words }: { color: string; side: string; words: string }) {
  const background = parseColor(color)
  const style = { background: printColor(background), color: printColor(textColorOn(background)) }
  return (
    <div className={classes.launcher} data-side={side} aria-hidden>
      <span className={classes.button} style={style}>
        <ChatBubbleOvalLeftEllipsisIcon width={28} />
        {words && <span className={classes.launcherWords}>{words}</span>}
      </span>
    </div>
  )
}
