import { Anchor } from '@mantine/core'
import { pageText } from '../core/page-text.ts'

export const GuideLink = () => (
  <Anchor href="/docs/channels" target="_blank" rel="noreferrer" py={4}>
    {pageText.customChannels.guide}
  </Anchor>
)
