import { ChatBubbleLeftRightIcon } from '@heroicons/react/24/outline'
import { Empty } from '../core/empty.tsx'
import { usePageTitle } from '../core/page.tsx'
import { text } from '../core/text.ts'
import { useView } from './inbox.ts'
import { nameOfView } from './views.ts'

/** Shown while no ticket is selected. */
export default function NothingOpen() {
  const view = useView()
  usePageTitle(view ? nameOfView(view) : text.shell.inbox)
  return <Empty icon={ChatBubbleLeftRightIcon} title={text.inbox.choose} about={text.inbox.chooseAbout} />
}
