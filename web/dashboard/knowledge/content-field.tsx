import { PhotoIcon } from '@heroicons/react/20/solid'
import { Button, FileButton, Text } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { useEditorRef } from '../rich-text/editor-handle.ts'
import { FormattedField } from '../rich-text/formatted-field.tsx'
import { PictureDialog } from './picture-dialog.tsx'
import { addressOfPicture, printPicture } from './pictures.ts'
import { findPicture, type Picture, pictureTypes, usePictureUpload } from './upload-picture.ts'

interface Props {
  value: string
  onChange(value: string): void
  error?: ReactNode
}

function usePictures(insert: (markdown: string) => void) {
  const [picture, setPicture] = useState<Picture | null>(null)
  const { upload, isUploading } = usePictureUpload(setPicture)
  const take = ({ files, types }: DataTransfer): boolean => {
    const file = findPicture(files)
    // Text copied in an office program comes with a picture of it.
    if (!file || types.includes('text/plain')) return false
    upload(file)
    return true
  }
  const dialog = (
    <PictureDialog
      picture={picture}
      onClose={() => setPicture(null)}
      onInsert={({ url }, description) => {
        setPicture(null)
        insert(printPicture(url, description))
      }}
    />
  )
  return { upload, isUploading, take, dialog }
}

/** The text of an article, read from Markdown and written as Markdown. Pictures can be pasted, dropped or chosen. */
export function ContentField(props: Props) {
  const { id, role } = useProject()
  const editor = useEditorRef()
  const { upload, isUploading, take, dialog } = usePictures(markdown => editor.current?.insert(markdown))
  const article = useMemo(
    () => ({
      pictureOf: (src: string) => addressOfPicture(id, src),
      explainHtml: pageText.knowledge.contentHtml,
    }),
    [id],
  )
  const mayWrite = mayDo(role, 'admin')
  const pictures = mayWrite && { onPaste: take, onDrop: take }
  return (
    <div>
      <FormattedField
        {...props}
        {...pictures}
        editor={editor}
        label={pageText.knowledge.content}
        isLabelShown
        article={article}
        tools={mayWrite && <AddPicture isUploading={isUploading} onChoose={upload} />}
      />
      {mayWrite && (
        <Text size="xs" c="dimmed" mt={4}>
          {pageText.knowledge.addPictureAbout}
        </Text>
      )}
      {dialog}
    </div>
  )
}

interface AddPictureProps {
  isUploading: boolean
  onChoose(file: File): void
}

const AddPicture = ({ isUploading, onChoose }: AddPictureProps) => (
  <FileButton accept={pictureTypes} onChange={file => file && onChoose(file)}>
    {button => (
      <Button
        {...button}
        variant="subtle"
        size="compact-sm"
        loading={isUploading}
        leftSection={<PhotoIcon width={16} aria-hidden />}
      >
        {pageText.knowledge.addPicture}
      </Button>
    )}
  </FileButton>
)
