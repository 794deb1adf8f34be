import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import classes from './preview.module.css'
import type { Picture } from './upload-picture.ts'

interface Props {
  picture: Picture | null
  onInsert(picture: Picture, description: string): void
  onClose(): void
}

/** Asks for the description of an uploaded picture before it is inserted. */
export const PictureDialog = ({ picture, ...props }: Props) => (
  <Modal opened={picture !== null} onClose={props.onClose} title={pageText.knowledge.pictureTitle}>
    {picture && <Fields key={picture.id} picture={picture} {...props} />}
  </Modal>
)

function Fields({ picture, onInsert }: Props & { picture: Picture }) {
  const { id: projectId } = useProject()
  const [description, setDescription] = useState('')
  const insert = (event: FormEvent) => {
    event.preventDefault()
    onInsert(picture, description)
  }
  return (
    <form onSubmit={insert}>
      <Stack>
        <img
          className={classes.picture}
          src={`/api/dashboard/projects/${projectId}/media/${picture.id}?inline=true`}
          alt={picture.filename}
          width={picture.width}
          height={picture.height}
        />
        <TextInput
          label={pageText.knowledge.pictureText}
          description={pageText.knowledge.pictureTextAbout}
          value={description}
          maxLength={500}
          dir="auto"
          data-autofocus
          onChange={event => setDescription(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit">{pageText.knowledge.insertPicture}</Button>
        </Group>
      </Stack>
    </form>
  )
}
