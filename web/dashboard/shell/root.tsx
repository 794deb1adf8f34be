import { Outlet } from '@tanstack/react-router'
import { Banners } from './banners.tsx'
import classes from './shell.module.css'

/** What every page has, whoever is looking. */
export function Root() {
  return (
    <div className={classes.root}>
      <Banners />
      <Outlet />
    </div>
  )
}
