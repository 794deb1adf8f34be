import { useState } from 'preact/hooks'
import { addressOf } from '../core/api.ts'

interface Person {
  name: string | null
  avatar_url?: string | null
}

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => [...word][0])
    .join('')
    .toUpperCase()

/** The name is shown beside it. */
export function Avatar({ name, avatar_url }: Person) {
  const [isBroken, setBroken] = useState(false)
  if (avatar_url && !isBroken)
    return <img class="face" src={addressOf(avatar_url)} alt="" onError={() => setBroken(true)} />
  return (
    <span class="face" aria-hidden="true">
      {initials(name ?? '') || '·'}
    </span>
  )
}

export const Avatars = ({ people }: { people: Person[] }) => (
  <span class="faces">
    {people.map(person => (
      <Avatar key={person.name} {...person} />
    ))}
  </span>
)
