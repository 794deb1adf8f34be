import { testOverlays } from '../every-overlay.ts'
import { settingsOverlays } from '../overlays/of-settings.ts'

testOverlays(settingsOverlays, { colorScheme: 'dark', width: 1440, dir: 'rtl' })
