import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure } from '../core/notice.ts'
import { patchMessage } from './cache.ts'
import type { Message } from './queries.ts'

/** Adds or removes one's own reaction, and shows it at once. */
export async function react(
  message: Message,
  operatorId: string,
  emoji: string,
  isOn: boolean,
): Promise<void> {
  const path = { project_id: message.workspace_id, message_id: message.id, emoji }
  const others = message.reactions.filter(one => one.emoji !== emoji || one.reactor_id !== operatorId)
  const own = {
    emoji,
    reactor_kind: 'operator' as const,
    reactor_id: operatorId,
    created_at: new Date().toISOString(),
  }
  patchMessage(message, { reactions: isOn ? [...others, own] : others })
  const address = '/projects/{project_id}/messages/{message_id}/reactions/{emoji}'
  try {
    const asked = isOn ? api.PUT(address, { params: { path } }) : api.DELETE(address, { params: { path } })
    patchMessage(message, { reactions: (await take(asked)).reactions })
  } catch (failure) {
    patchMessage(message, { reactions: message.reactions })
    showFailure(asFailure(failure))
  }
}
