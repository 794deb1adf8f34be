import { useMediaQuery } from '@mantine/hooks'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { usePageTitle } from '../core/page.tsx'
import { useViewName } from './inbox.ts'

const Day = lazily(() => import('../today/day.tsx'))

/** Shown while no ticket is selected. On a phone, the list has the whole screen. */
export default function NothingOpen() {
  usePageTitle(useViewName())
  const isNarrow = useMediaQuery('(max-width: 48em)', true, { getInitialValueInEffect: false })
  return <LazyContent>{!isNarrow && <Day />}</LazyContent>
}
