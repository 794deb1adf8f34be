update saved_views set version = 2 where name = 'Late';
