/** The steps of setting up a project. A step that was done once stays done, whatever is deleted later. */
export const firstSteps = ['channel', 'widget', 'article', 'colleague', 'hours', 'ticket'] as const
export type FirstStep = (typeof firstSteps)[number]
