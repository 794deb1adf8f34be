import { type DataTag, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { showSaved } from '../core/query.ts'
import type { Key } from '../core/query-key.ts'
import type { Channel } from './channel-state.tsx'

/** The version that the page last loaded or saved. A change by another person is not taken over, so that saving reports it. */
export interface ShownVersion<Row extends Channel> {
  current(): number
  accept(current: number): void
  /** Stores the response to a change of this page. */
  save(saved: Row): void
}

/** Saved changes are stored under the row's key and outdate the list. */
export function useShownVersion<Row extends Channel>(
  row: Row,
  keys: { row: DataTag<Key, Row, Error>; list: Key },
): ShownVersion<Row> {
  const client = useQueryClient()
  const version = useRef(row.version)
  return {
    current: () => version.current,
    accept: current => {
      version.current = current
    },
    save(saved) {
      if (saved.version === version.current + 1) version.current = saved.version
      void showSaved(client, keys.row, saved)
      void client.invalidateQueries({ queryKey: keys.list, exact: true })
    },
  }
}
