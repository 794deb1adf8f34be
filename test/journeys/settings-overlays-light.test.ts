import { testOverlays } from '../every-overlay.ts'
import { settingsOverlays } from '../overlays/of-settings.ts'

testOverlays(settingsOverlays, { colorScheme: 'light', width: 320, dir: 'ltr' })
