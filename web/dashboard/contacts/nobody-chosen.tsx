import { UserGroupIcon } from '@heroicons/react/20/solid'
import { Empty } from '../core/empty.tsx'
import { usePageTitle } from '../core/page.tsx'
import { text } from '../core/text.ts'

/** Shown while no contact is selected. */
export default function NobodyChosen() {
  usePageTitle(text.contacts.title)
  return <Empty icon={UserGroupIcon} title={text.contacts.choose} about={text.contacts.chooseAbout} />
}
