import {
  BuildingStorefrontIcon,
  ChatBubbleLeftRightIcon,
  CodeBracketIcon,
  EnvelopeIcon,
  PaperAirplaneIcon,
  PhoneIcon,
  PuzzlePieceIcon,
} from '@heroicons/react/16/solid'
import { ChannelAvatar } from '../channels/channel-avatar.tsx'
import { channelPictureOf, customNameOf, isCustom, useCustomChannel } from '../channels/custom-channels.ts'
import type { Icon } from '../core/icon.ts'
import { text } from '../core/text.ts'
import classes from './marks.module.css'

const channelIcons: Record<string, Icon> = {
  api: CodeBracketIcon,
  email: EnvelopeIcon,
  phone: PhoneIcon,
  telegram: PaperAirplaneIcon,
  walk_in: BuildingStorefrontIcon,
  widget: ChatBubbleLeftRightIcon,
}

interface Props {
  projectId: string
  channel: string
}

/** The channel that the contact uses; nothing if a newer server has added a channel that this page does not know. */
export function ChannelMark({ projectId, channel }: Props) {
  if (isCustom(channel)) return <CustomMark projectId={projectId} channel={channel} />
  const Sign = channelIcons[channel]
  const label = text.inbox.channels[channel]
  if (!Sign || !label) return null
  return (
    <span role="img" aria-label={label} title={label} className={classes.channel}>
      <Sign width={14} aria-hidden />
    </span>
  )
}

/** The name of a deleted channel is still part of `channel`. */
function CustomMark({ projectId, channel }: Props) {
  const found = useCustomChannel(projectId, channel)
  if (found === undefined) return null
  const title = found?.title ?? customNameOf(channel)
  return (
    <span role="img" aria-label={title} title={title} className={classes.channel}>
      {found ? (
        <ChannelAvatar {...found} picture={channelPictureOf(projectId, found)} size={14} />
      ) : (
        <PuzzlePieceIcon width={14} aria-hidden />
      )}
    </span>
  )
}
