import { testOverlays } from '../every-overlay.ts'
import { inboxOverlays } from '../overlays/of-inbox.ts'

testOverlays(inboxOverlays, { colorScheme: 'light', width: 320, dir: 'ltr' })
