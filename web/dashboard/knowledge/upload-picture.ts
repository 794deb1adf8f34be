import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asForm } from '../core/form-data.ts'
import { showRefusal } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'

export type Picture = AnswerOf<'/projects/{project_id}/knowledge/pictures', 'post'>

export const pictureTypes = 'image/png,image/jpeg,image/webp,image/gif,image/avif'
const maxBytes = 10 * 1024 * 1024

const isPicture = (file: File): boolean => pictureTypes.split(',').includes(file.type)

/** The first picture among pasted or dropped files. */
export const findPicture = (files: FileList | undefined): File | undefined =>
  [...(files ?? [])].find(isPicture)

/** Uploads a picture for an article. Failures are shown in a corner. */
export function usePictureUpload(onDone: (picture: Picture) => void) {
  const { id: project_id } = useProject()
  const change = useChange({
    send: (file: File) =>
      take(
        api.POST('/projects/{project_id}/knowledge/pictures', {
          params: { path: { project_id } },
          body: { file },
          bodySerializer: asForm,
        }),
      ),
    onDone,
  })
  const upload = (file: File) =>
    file.size > maxBytes ? showRefusal(pageText.knowledge.pictureTooLarge) : change.mutate(file)
  return { upload, isUploading: change.isPending }
}
