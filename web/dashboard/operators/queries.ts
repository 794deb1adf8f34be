import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { operatorKeys } from './query-keys.ts'

export type Person = AnswerOf<'/projects/{project_id}/operators', 'get'>['items'][number]
export type Department = AnswerOf<'/projects/{project_id}/departments', 'get'>['items'][number]

export const fetchPeople = async (project_id: string): Promise<Person[]> =>
  (await take(api.GET('/projects/{project_id}/operators', { params: { path: { project_id } } }))).items

export const peopleQuery = (project_id: string) =>
  queryOptions({
    queryKey: operatorKeys.people(project_id),
    queryFn: () => fetchPeople(project_id),
  })

export const departmentsQuery = (project_id: string) =>
  queryOptions({
    queryKey: operatorKeys.departments(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/departments', { params: { path: { project_id } } }))).items,
  })

export const signatureQuery = (project_id: string) =>
  queryOptions({
    queryKey: operatorKeys.signature(project_id),
    queryFn: () => take(api.GET('/projects/{project_id}/me/signature', { params: { path: { project_id } } })),
  })
