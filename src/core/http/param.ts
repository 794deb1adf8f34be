import type { FastifyRequest } from 'fastify'
import { stringOf } from '../objects.ts'

/** A part of the path; empty if the route has none of this name. */
export const paramOf = (request: FastifyRequest, name: string): string => stringOf(request.params, name) ?? ''
