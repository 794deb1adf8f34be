import { testOverlays } from '../every-overlay.ts'
import { inboxOverlays } from '../overlays/of-inbox.ts'

testOverlays(inboxOverlays, { colorScheme: 'dark', width: 1440, dir: 'rtl' })
