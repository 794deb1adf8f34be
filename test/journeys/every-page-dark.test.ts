import { testEveryPage } from '../every-page.ts'

// This color would be unreadable without correction.
testEveryPage({ colorScheme: 'dark', width: 1440, dir: 'rtl' }, '#0b0b3a')
