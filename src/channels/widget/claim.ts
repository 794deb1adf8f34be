import type { JWTPayload } from 'jose'
import type { ContactClaim } from '../../contacts/contacts.ts'
import type { Vault } from '../../core/crypto.ts'
import { hmacHex, isSame } from '../../core/crypto.ts'
import { isEmail } from '../../core/email.ts'
import { ApiError, refuse } from '../../core/errors.ts'
import { isVisible } from '../../core/text/visible-text.ts'
import { type WidgetRow, widgetSecretLabel } from './choices.ts'
import { readToken } from './jwt.ts'
import type { ClaimedUser, Identifying } from './schema.ts'

/**
 * The identity that a page claims for a visitor, and what of it is proved. A token proves all its claims, a signature proves the one
 * value that it signs, and without either nothing is proved.
 */

export interface IdentityClaim extends ContactClaim {
  isVerified: boolean
}

const invalid = (reason: string) => new ApiError('SIGNATURE_INVALID', { reason })
const required = (reason: string) => new ApiError('SIGNATURE_REQUIRED', { reason })

const textOf = (value: unknown, most: number): string | null => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && isVisible(text) && text.length <= most && !text.includes('\0')
    ? text
    : null
}

const emailOf = (value: unknown): string | null => {
  const text = textOf(value, 254)
  return text && isEmail(text) ? text : null
}

const telegramOf = (value: unknown): number | null => {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

const isPresent = ([, value]: [string, unknown]): boolean => value !== null

function claimOfToken({ sub, email, name, phone, telegram_id, locale }: JWTPayload): IdentityClaim {
  const all = { external_id: textOf(sub, 255), email: emailOf(email), telegram_id: telegramOf(telegram_id) }
  const identifiers = Object.fromEntries(Object.entries(all).filter(isPresent))
  if (Object.keys(identifiers).length === 0) throw invalid('nobody')
  return {
    identifiers,
    details: { full_name: textOf(name, 255), phone: textOf(phone, 64), language: textOf(locale, 35) },
    isTrusted: true,
    isVerified: true,
  }
}

/** Uses only the site's id if there is one, because a signature for the id does not cover an address sent along with it. */
function claimOfUser(
  { id, email, name, phone }: ClaimedUser,
  isVerified: boolean,
  locale?: string | null,
): IdentityClaim {
  if (!id && !email) throw refuse('user', 'required')
  return {
    identifiers: id ? { external_id: id } : { email: email! },
    email: id ? (email ?? null) : null,
    details: { full_name: name ?? null, phone: phone ?? null, language: locale ?? null },
    isTrusted: isVerified,
    isVerified,
  }
}

/**
 * The signed text begins with its kind (`id:` or `email:`). So no user can choose an id that makes the site sign a token, which
 * has no colon, or another person's address.
 */
function checkSignature(user: ClaimedUser, signature: string, secret: string): void {
  const signed = user.id ? `id:${user.id}` : `email:${user.email}`
  const right = Buffer.from(hmacHex(secret, Buffer.from(signed)))
  if (!isSame(Buffer.from(signature.toLowerCase()), right)) throw invalid('signature')
}

export async function readIdentityClaim(
  vault: Vault,
  projectId: string,
  widget: WidgetRow,
  { user, signature, token, locale }: Identifying,
): Promise<IdentityClaim> {
  const secret = widget.secret && vault.open(widget.secret, widgetSecretLabel(projectId))
  if ((token || signature) && !secret) throw required('no_secret')
  if (token) {
    const read = await readToken(token, secret!)
    if ('wrong' in read) throw invalid(read.wrong)
    return claimOfToken(read.claims)
  }
  if (!user) throw refuse('user', 'required')
  const claim = claimOfUser(user, Boolean(signature), locale)
  if (signature) checkSignature(user, signature, secret!)
  else if (widget.choices.requires_signature) throw required('not_signed')
  return claim
}
