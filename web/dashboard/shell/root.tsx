import { Outlet } from '@tanstack/react-router'
import { Banners } from './banners.tsx'
import classes from './shell.module.css'

/** The frame of every page, with or without a session. */
export function Root() {
  return (
    <div className={classes.root}>
      <Banners />
      <Outlet />
    </div>
  )
}
