import { isHomeUrl } from '../../../core/http/address.ts'
import type { TelegramBotRow } from './bot.ts'

/** Ports that Telegram's own server delivers to. An empty port is 443. */
const webhookPorts = ['', '80', '88', '443', '8443']

/** Whether Telegram can deliver updates to this installation. Its server accepts only HTTPS. */
export function canUseWebhook(publicUrl: string): boolean {
  const url = URL.parse(publicUrl)
  return url?.protocol === 'https:' && webhookPorts.includes(url.port) && !isHomeUrl(publicUrl)
}

/** How a bot receives updates. */
export function receivingModeOf(
  { receiving }: Pick<TelegramBotRow, 'receiving'>,
  publicUrl: string,
): 'polling' | 'webhook' {
  if (receiving !== 'auto') return receiving
  return canUseWebhook(publicUrl) ? 'webhook' : 'polling'
}
