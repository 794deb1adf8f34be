import type { ComponentType, SVGProps } from 'react'

/** An icon of @heroicons/react, or one of ours in the same style. */
export type Icon = ComponentType<SVGProps<SVGSVGElement>>
