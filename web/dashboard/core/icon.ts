import type { ComponentType, SVGProps } from 'react'

/** One of @heroicons/react, or one of ours in its manner. */
export type Icon = ComponentType<SVGProps<SVGSVGElement>>
