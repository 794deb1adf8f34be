import {
  ArrowDownTrayIcon,
  ChevronLeftIcon,
  ChevronRightIcon,
  MagnifyingGlassMinusIcon,
  MagnifyingGlassPlusIcon,
} from '@heroicons/react/20/solid'
import { ActionIcon, Modal, Text, useDirection } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { Icon } from '../core/icon.ts'
import { text } from '../core/text.ts'
import classes from './lightbox.module.css'
import { addressOf } from './media.tsx'
import { focusOpener, openPicture, useOpenPicture } from './open-picture.ts'
import type { Message } from './queries.ts'

type File = Message['media'][number]

interface Props {
  messages: Message[]
  projectId: string
}

/** A picture of the conversation in the size of the window, with the others one key away. */
export default function Lightbox({ messages, projectId }: Props) {
  const pictures = messages.flatMap(({ media }) => media.filter(({ kind }) => kind === 'image'))
  const openId = useOpenPicture()
  const at = pictures.findIndex(({ id }) => id === openId)
  const picture = pictures[at]
  const close = () => openPicture(null)
  // The dialog is loaded when it is already open, so Mantine does not know what had the focus before.
  useEffect(() => {
    if (openId === null) focusOpener()
  }, [openId])
  return (
    <Modal
      fullScreen
      returnFocus={false}
      opened={picture !== undefined}
      onClose={close}
      title={picture && <Title file={picture} at={at} total={pictures.length} />}
      classNames={{ content: classes.content, body: classes.body, header: classes.header }}
      closeButtonProps={{ 'aria-label': text.pictures.close }}
    >
      {picture && (
        <Picture
          file={picture}
          address={addressOf(projectId, picture.id)}
          previous={pictures[at - 1]}
          next={pictures[at + 1]}
        />
      )}
    </Modal>
  )
}

const Title = ({ file, at, total }: { file: File; at: number; total: number }) => (
  <>
    <bdi>{file.filename}</bdi>
    {total > 1 && <Text span size="sm" c="dimmed">{` ${text.pictures.place(at + 1, total)}`}</Text>}
  </>
)

interface PictureProps {
  file: File
  address: string
  previous: File | undefined
  next: File | undefined
}

function Picture({ file, address, previous, next }: PictureProps) {
  // By id, because the buttons stay on the page, with the focus, while the pictures change.
  const [largeId, setLargeId] = useState<string | null>(null)
  const isLarge = largeId === file.id
  const setLarge = (is: boolean) => setLargeId(is ? file.id : null)
  const { dir } = useDirection()
  const show = (other: File | undefined) => other && openPicture(other.id)
  function onKeyDown({ key }: KeyboardEvent): void {
    if (key === (dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight')) show(next)
    if (key === (dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft')) show(previous)
    if (key === '+' || key === '=') setLarge(true)
    if (key === '-' || key === '0') setLarge(false)
  }
  const words = text.pictures
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens to keys of the buttons in it
    <div className={classes.picture} onKeyDown={onKeyDown}>
      <div className={classes.tools}>
        <Tool name={words.previous} icon={ChevronLeftIcon} other={previous} show={show} />
        <Tool name={words.next} icon={ChevronRightIcon} other={next} show={show} />
        <ActionIcon
          size="lg"
          data-autofocus
          aria-label={isLarge ? words.fit : words.enlarge}
          onClick={() => setLarge(!isLarge)}
        >
          {isLarge ? (
            <MagnifyingGlassMinusIcon width={20} aria-hidden />
          ) : (
            <MagnifyingGlassPlusIcon width={20} aria-hidden />
          )}
        </ActionIcon>
        <ActionIcon
          size="lg"
          component="a"
          href={address}
          download={file.filename}
          aria-label={text.messages.download(file.filename)}
        >
          <ArrowDownTrayIcon width={20} aria-hidden />
        </ActionIcon>
      </div>
      <section className={classes.stage} tabIndex={isLarge ? 0 : undefined} aria-label={words.picture}>
        <img
          src={`${address}?inline=true`}
          alt={text.messages.image(file.filename)}
          className={classes.image}
          data-large={isLarge || undefined}
        />
      </section>
    </div>
  )
}

interface ToolProps {
  name: string
  icon: Icon
  other: File | undefined
  show(other: File | undefined): void
}

/** Stays focusable at the ends, so that the focus is not lost there. */
const Tool = ({ name, icon: Sign, other, show }: ToolProps) => (
  <ActionIcon
    size="lg"
    aria-label={name}
    aria-disabled={!other || undefined}
    data-disabled={!other || undefined}
    onClick={() => show(other)}
  >
    <Sign width={20} className={classes.arrow} aria-hidden />
  </ActionIcon>
)
