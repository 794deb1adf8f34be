import { UserGroupIcon } from '@heroicons/react/24/outline'
import { Empty } from '../core/empty.tsx'
import { usePageTitle } from '../core/page.tsx'
import { text } from '../core/text.ts'

/** In place of a contact while none is chosen. */
export default function NobodyChosen() {
  usePageTitle(text.contacts.title)
  return (
    <Empty order={1} icon={UserGroupIcon} title={text.contacts.choose} about={text.contacts.chooseAbout} />
  )
}
