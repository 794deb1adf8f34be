import { testEveryPage } from '../every-page.ts'

// This color would be unreadable without correction.
testEveryPage({ colorScheme: 'light', width: 320, dir: 'ltr' }, '#ffe600')
